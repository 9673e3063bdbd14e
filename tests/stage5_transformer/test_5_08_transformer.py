"""Exercise 5.8: the whole model."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor, concatenate
from stage5_transformer import (
    BOS,
    EOS,
    PAD,
    Config,
    Transformer,
    causal_mask,
    padding_mask,
    shifted,
)
from stage5_transformer.transformer import logits

pytestmark = exercise("5.8")

SIZES = {"d_model": 8, "heads": 2, "d_ff": 16}


def model(**options):
    made = Transformer(Config(9, 11, **(SIZES | options)), np.random.default_rng(0))
    for parameter in made.parameters():
        parameter.data = parameter.data.astype(float)
    return made


class Cache:
    """What a KeyValueCache will be: the keys and values of the symbols before."""

    def __init__(self):
        self.k = self.v = None

    def __len__(self):
        return 0 if self.k is None else self.k.shape[2]

    def extend(self, k, v):
        if self.k is not None:
            k, v = concatenate([self.k, k], axis=2), concatenate([self.v, v], axis=2)
        self.k, self.v = k, v
        return k, v


SOURCE = np.array([[4, 5, 6, 7], [8, 4, PAD, PAD]])
TARGET = np.array([[BOS, 5, 6], [BOS, 7, PAD]])


def test_shifted_targets():
    said, next_ids = shifted([[5, 6], [7]])
    grade.close(
        said,
        [[BOS, 5, 6], [BOS, 7, PAD]],
        "what the decoder reads for [5, 6] and [7]",
        {
            ((BOS, 5, 6, EOS), (BOS, 7, EOS, PAD)): "it never reads EOS",
            ((5, 6, EOS), (7, EOS, PAD)): "it reads BOS first: this is what it has to say",
        },
    )
    grade.close(
        next_ids,
        [[5, 6, EOS], [7, EOS, PAD]],
        "what it has to say",
        {
            ((BOS, 5, 6), (BOS, 7, PAD)): "not shifted: it would learn to copy what it reads",
            ((6, EOS), (EOS, PAD)): "shifted twice",
        },
    )


def test_shifted_leaves_the_rows_as_they_were():
    rows = [[5, 6], [7]]
    shifted(rows)
    grade.true(rows == [[5, 6], [7]], f"the rows afterwards are {rows}", "make new ones: [BOS, *r]")


def test_the_shape():
    y = model()(SOURCE, TARGET)
    found = np.shape(y.data)
    why = "a logit for every symbol of the target language, at every place of the target"
    grade.true(found == (2, 3, 11), f"the logits are (B, T, V) = (2, 3, 11); got {found}", why)


def test_a_future_symbol_changes_nothing_before_it():
    m = model()
    before = m(SOURCE, TARGET).data
    changed = TARGET.copy()
    changed[0, 2] = 9
    after = m(SOURCE, changed).data
    grade.close(
        after[0, :2], before[0, :2], "logits before a symbol that changed: is the mask causal?"
    )
    grade.true(not np.allclose(after[0, 2], before[0, 2]), "the logits at it change", "they must")


def test_padding_of_the_source_changes_nothing():
    m = model()
    short = m(SOURCE[1:, :2], TARGET[1:]).data
    found = m(SOURCE, TARGET).data[1]
    everywhere = np.ones((2, 1, 1, 4), bool)
    of_target = padding_mask(np.pad(TARGET, ((0, 0), (0, 1))))
    mask = padding_mask(SOURCE)
    wrong = []
    for encoders, decoders, why in (
        (everywhere, mask, "the encoder sees the padding of the source: padding_mask(source)"),
        (mask, everywhere, "the decoder sees the padding of the source: padding_mask(source)"),
        (everywhere, everywhere, "padding_mask(source) goes to the encoder and to the decoder"),
        (mask, of_target, "the memory is masked by the padding of the source, not of the target"),
        (of_target, of_target, "it is the padding of the source that is hidden"),
    ):
        memory = m.encoder(SOURCE, encoders)
        wrong.append((m.decoder(TARGET, memory, decoders).data[1], why))
    grade.close(found, short[0], "a sample with and without padding in its source", wrong)


def test_samples_do_not_meet():
    m = model()
    alone = m(SOURCE[:1], TARGET[:1]).data
    grade.close(m(SOURCE, TARGET).data[0], alone[0], "a sample in a batch and alone")


def test_the_source_matters_all_of_it():
    m = model()
    before = m(SOURCE, TARGET).data[0, 0]
    for place in range(4):
        changed = SOURCE.copy()
        changed[0, place] = 8
        after = m(changed, TARGET).data[0, 0]
        grade.true(
            not np.allclose(after, before),
            f"the first logits react to source symbol {place}",
            "every decoder place sees the whole source",
        )


def test_positions_are_told():
    m = model()
    before = m(SOURCE, TARGET).data[0]
    swapped = SOURCE.copy()
    swapped[0, [0, 1]] = swapped[0, [1, 0]]
    after = m(swapped, TARGET).data[0]
    grade.true(
        not np.allclose(after, before),
        "the order of the source matters",
        "add positions to the embeddings of the encoder",
    )
    target = np.array([[BOS, 5, 6, 5]])
    one, three = m(SOURCE[:1], target).data[0, [1, 3]]
    grade.true(
        not np.allclose(one, three),
        "the same symbol differs at two places of the target",
        "add positions in the decoder",
    )


def test_without_positions_the_order_of_the_source_is_lost():
    m = model()
    m.encoder.positions.forward = lambda x, start=0: x
    permuted = SOURCE[:1, [2, 0, 3, 1]]
    mask = np.ones((1, 1, 1, 4), bool)
    a, b = m.encoder(SOURCE[:1], mask).data, m.encoder(permuted, mask).data
    grade.close(b, a[:, [2, 0, 3, 1]], "the memory of a permuted source, without positions")


@pytest.mark.parametrize("which", ["encoder", "decoder"])
def test_embeddings_are_scaled(which):
    m = model()
    stack, seen = getattr(m, which), []
    stack.positions.forward = lambda x, start=0: seen.append(x.data.copy()) or x
    m(SOURCE, TARGET)
    grade.true(seen, f"self.positions of the {which} is called", "x = self.positions(x, ...)")
    table = stack.embedding.weight.data
    grade.close(
        seen[0][0, 1],
        table[5] * np.sqrt(8),
        f"an embedding of the {which} before positions are added",
        {tuple(table[5].tolist()): "multiply by self.scale, sqrt(d_model)"},
    )


def test_the_whole_encoder():
    encoder = model().encoder
    mask = padding_mask(SOURCE)
    x = encoder.positions(encoder.embedding(SOURCE) * encoder.scale)
    often = seen = x
    first = encoder.norm(encoder.layers[0](x, mask))
    for layer in encoder.layers:
        x, often, seen = layer(x, mask), encoder.norm(layer(often, mask)), layer(seen)
    wrong = [
        (often.data, "the norm stands once, after the last layer"),
        (x.data, "the norm after the last layer is left out"),
        (first.data, "go on through every layer: only the first was asked"),
        (encoder.norm(seen).data, "the mask is not handed to the layers: padding is looked at"),
    ]
    what = "embedding, scale, positions, every layer, norm"
    grade.close(encoder(SOURCE, mask), encoder.norm(x).data, what, wrong)


def test_the_whole_decoder():
    m = model()
    decoder, mask = m.decoder, padding_mask(SOURCE)
    memory = m.encoder(SOURCE, mask)
    x = decoder.positions(decoder.embedding(TARGET) * decoder.scale)
    first = decoder.layers[0](x, memory, causal_mask(3), mask)
    often = seen = open_ = back = x
    for layer in decoder.layers:
        x = layer(x, memory, causal_mask(3), mask)
        often = decoder.norm(layer(often, memory, causal_mask(3), mask))
        seen = layer(seen, memory, None, mask)
        open_ = layer(open_, memory, causal_mask(3))
    for layer in reversed(list(decoder.layers)):
        back = layer(back, memory, causal_mask(3), mask)
    table = decoder.embedding.weight.data

    def said(x):
        return (decoder.norm(x).data @ table.T)[:1]

    wrong = [
        ((often.data @ table.T)[:1], "the norm stands once, after the last layer"),
        ((x.data @ table.T)[:1], "the norm before the logits is left out"),
        (said(first), "go on through every layer: only the first was asked"),
        (said(seen), "the causal mask is not handed to the layers: the future is seen"),
        (said(open_), "memory_mask is not handed to the layers: padding is looked at"),
        (said(back), "the layers are asked in the order in which they stand"),
    ]
    what = "embedding, scale, positions, every layer, norm, logits"
    grade.close(decoder(TARGET, memory, mask)[:1], said(x), what, wrong)


@pytest.mark.parametrize("n", [1, 2])
def test_the_decoder_with_caches_reads_new_symbols_only(n):
    m = model(decoder_layers=n)
    decoder, mask = m.decoder, padding_mask(SOURCE)
    memory = m.encoder(SOURCE, mask)
    whole = decoder(TARGET[:1], memory[:1], mask[:1]).data
    caches = [(Cache(), Cache()) for _ in range(n)]
    add = decoder.positions.forward

    def from_start(x, start=0):
        layers = {
            n: "len(caches) is how many layers there are, len(caches[0][0]) symbols came before"
        }
        grade.close(start, len(caches[0][0]), "the position of the first new symbol", layers)
        return add(x, start)

    decoder.positions.forward = from_start
    for start, end in ((0, 1), (1, 3)):
        found = decoder(TARGET[:1, start:end], memory[:1], mask[:1], caches)
        read = [len(own) for own, _ in caches]
        why = "every layer gets its own pair, caches[i]"
        told = f"after {end} symbols the caches of {n} layers hold {end}; they hold {read}"
        grade.true(read == [end] * n, told, why)
        what = f"logits of symbols {start} to {end - 1} with caches: len(caches[0][0]) came before"
        grade.close(found, whole[:, start:end], what)


@pytest.mark.parametrize("which", ["encoder", "decoder"])
def test_embeddings_are_dropped_out(which):
    m = model(dropout=1.0)  # everything is dropped
    mask = padding_mask(SOURCE)
    memory = m.encoder(SOURCE, mask)
    if which == "encoder":
        one, other = memory, m.encoder(np.full((2, 4), 6), mask)
    else:
        one, other = (m.decoder(ids, memory, mask) for ids in (TARGET, np.full((2, 3), 6)))
    grade.true(
        np.allclose(one.data, other.data),
        f"the {which} knows nothing of its ids if it drops everything",
        "self.dropout comes before the first layer",
    )


@pytest.mark.parametrize("which", ["encoder", "decoder"])
def test_a_norm_at_the_end_of_each_stack(which):
    m = model()
    stack = getattr(m, which)
    weight = stack.norm.weight
    weight.data = weight.data * 0
    y = m(SOURCE, TARGET)
    if which == "decoder":
        grade.close(y, np.zeros((2, 3, 11)), "the logits, if the decoder's last norm says 0")
    else:
        found = stack(SOURCE, np.ones((2, 1, 1, 4), bool))
        grade.close(found, np.zeros((2, 4, 8)), "the memory, if the encoder's last norm says 0")


def test_the_last_layer_is_the_embedding():
    m = model()
    grade.true(m.decoder.head is None, "there is no head of its own", "tied is the default")
    y = m(SOURCE, TARGET)
    y.backward(np.random.default_rng(0).standard_normal(y.shape))
    unread = m.decoder.embedding.weight.grad[10]  # symbol 10 is said by nobody, only offered
    grade.true(
        unread.any(),
        "a symbol that was not read gets a gradient by the last layer",
        "logits are x times the table of embeddings, transposed",
    )


def test_logits():
    m = model()
    x = Tensor(np.random.default_rng(0).standard_normal((2, 3, 8)))
    table = m.decoder.embedding
    want = x.data @ table.weight.data.T
    grade.close(logits(x, None, table), want, "logits with a tied head")
    untied = model(tied=False).decoder
    want = x.data @ untied.head.weight.data + untied.head.bias.data
    tied = x.data @ untied.embedding.weight.data.T
    ignored = [(tied, "if there is a head, the logits are head(x)")]
    found = logits(x, untied.head, untied.embedding)
    grade.close(found, want, "logits with a head of its own", ignored)


def test_the_decoder_uses_a_head_of_its_own():
    m = model(tied=False)
    head = m.decoder.head
    m.decoder.head = None
    ignored = [
        (m(SOURCE, TARGET).data, "self.head is ignored: if there is one, it gives the logits")
    ]
    m.decoder.head = head
    head.weight.data, head.bias.data = head.weight.data * 0, np.arange(11.0)
    want = np.broadcast_to(np.arange(11.0), (2, 3, 11))
    what = "the logits with tied=False, if self.head says 0, 1, 2, ..."
    grade.close(m(SOURCE, TARGET), want, what, ignored)


def test_every_parameter_gets_a_gradient():
    m = model(positions="learned", max_positions=6)
    y = m(SOURCE, TARGET)
    y.backward(np.random.default_rng(0).standard_normal(y.shape))
    missing = [name for name, p in m.named_parameters() if p.grad is None]
    grade.true(
        not missing, f"every Parameter gets a gradient; not {missing}", "is a part left out?"
    )


def test_one_batch_can_be_learned_by_heart():
    from stage3_nn import cross_entropy
    from stage4_optim import AdamW

    m = model(d_model=16, d_ff=32)
    said, next_ids = shifted([[5, 6, 7], [8, 9]])
    optimizer = AdamW(m.parameters(), lr=1e-2)
    for _ in range(60):
        optimizer.zero_grad()
        loss = cross_entropy(m(SOURCE, said), next_ids, ignore_index=PAD)
        loss.backward()
        optimizer.step()
    found = loss.item()
    grade.true(
        found < 0.05,
        f"the loss of one batch falls below 0.05 in 60 steps; it is {found:.3f}",
        "the model cannot learn by heart: does everything depend on source and target?",
    )


def test_ids_of_other_samples_than_the_memory_are_refused():
    made = model()
    memory = made.encoder(SOURCE, padding_mask(SOURCE))
    why = "one sample would be broadcast over all of the memory in silence"
    grade.raises(
        lambda: made.decoder(TARGET[:1], memory, padding_mask(SOURCE)),
        "1 target and the memory of 2",
        why,
    )
    grade.raises(
        lambda: made(SOURCE, TARGET + 0.5), "ids that are no integers", "look at the dtype"
    )
