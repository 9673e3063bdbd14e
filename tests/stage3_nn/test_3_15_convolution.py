"""Exercise 3.15, bonus: Conv2d and MaxPool2d."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import Conv2d, MaxPool2d
from stage3_nn.convolution import windows

pytestmark = exercise("3.15")


def rng():
    return np.random.default_rng(0)


def some(*shape):
    return Tensor(rng().standard_normal(shape), requires_grad=True)


def conv(in_channels, out_channels, k, **options):
    """A Conv2d in float64."""
    layer = Conv2d(in_channels, out_channels, k, rng=rng(), **options)
    for parameter in layer.parameters():
        parameter.data = parameter.data.astype(float)
    return layer


def by_hand(x, layer, stride=None, sides=None):
    """The same with four loops; `sides` are the zeros above and below, to the left and right."""
    s = stride or layer.stride
    p = layer.padding
    x = np.pad(x, ((0, 0), (0, 0), *(sides or ((p, p), (p, p)))))
    out_channels, _, k, _ = layer.weight.shape
    N, _, H, W = x.shape
    y = np.zeros((N, out_channels, (H - k) // s + 1, (W - k) // s + 1))
    for n, o, i, j in np.ndindex(*y.shape):
        window = x[n, :, i * s : i * s + k, j * s : j * s + k]
        y[n, o, i, j] = (window * layer.weight.data[o]).sum()
    return y if layer.bias is None else y + layer.bias.data[:, None, None]


def test_windows():
    x = Tensor(np.arange(12.0).reshape(1, 1, 3, 4))
    y = windows(x, 2, 1)
    found = np.shape(y.data)
    grade.true(
        found == (1, 1, 4, 2, 3),
        f"the shape is (1, 1, 4, 2, 3); it is {found}",
        "(N, C, k k, H_out, W_out)",
    )
    grade.close(y.data[0, 0, :, 0, 0], [0, 1, 4, 5], "the first window of 3 by 4 numbers")
    grade.close(y.data[0, 0, :, 1, 2], [6, 7, 10, 11], "the last window")


OPTIONS = [{}, {"stride": 2}, {"padding": 1}, {"stride": 2, "padding": 2}, {"bias": False}]


def mistakes(x, layer, want):
    """What the layer gives if something is left out or exchanged, and what that is."""
    p, (N, C_out, h, w) = layer.padding, want.shape
    if layer.stride > 1:
        yield by_hand(x, layer, stride=1), "the stride is ignored"
    if p:
        yield by_hand(x, layer, sides=((0, 0), (0, 0))), "the padding is left out"
        for side in ((0, 2 * p), (2 * p, 0), (p, 0), (0, p)):
            for sides in ((side, side), (side, (p, p)), ((p, p), side)):
                why = "padding p stands on every side: p rows before and p behind"
                yield by_hand(x, layer, sides=sides), why
    if layer.bias is not None:
        bare = want - layer.bias.data[:, None, None]
        yield bare, "the bias is left out"
        why = "every output channel has a bias of its own: reshape it to (C_out, 1, 1)"
        yield bare + layer.bias.data.mean(), why
    why = "height and width are exchanged: (N, C_out, H_out, W_out)"
    yield want.reshape(N, C_out, w, h), why


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_values(options):
    layer, x = conv(3, 2, 3, **options), some(2, 3, 6, 5)
    want = by_hand(x.data, layer)
    what = f"Conv2d(3, 2, 3, {options})"
    grade.close(layer(x), want, what, list(mistakes(x.data, layer, want)))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_vjps(options):
    layer = conv(2, 2, 2, **options)
    grade.vjps(lambda x: layer(x), some(1, 2, 4, 3), what=f"Conv2d(2, 2, 2, {options})(x)")


def test_gradients_of_weight_and_bias():
    layer, x = conv(1, 1, 2), Tensor(np.arange(9.0).reshape(1, 1, 3, 3))
    layer(x).sum().backward()
    grade.close(layer.weight.grad, [[[[8, 12], [20, 24]]]], "dL/dweight over 0..8, 3 by 3")
    grade.close(layer.bias.grad, [4], "dL/dbias of four windows")


def test_a_picture_smaller_than_the_filter_with_room_around_it():
    layer, x = conv(1, 1, 3, padding=1), some(1, 1, 2, 2)
    grade.close(layer(x), by_hand(x.data, layer), "Conv2d(1, 1, 3, padding=1) of 2 x 2 numbers")


def test_sizes_that_all_differ():
    layer, x = conv(3, 4, 2, stride=2, padding=1), some(2, 3, 5, 7)
    grade.close(layer(x), by_hand(x.data, layer), "2 pictures of 3 channels to 4, 5 x 7 numbers")
    grade.vjps(lambda x: layer(x), some(2, 3, 3, 4), what="that Conv2d of 3 x 4 numbers")


def test_a_filter_is_not_turned_round():
    layer = conv(1, 1, 2, bias=False)
    layer.weight.data = np.array([[[[1.0, 10.0], [100.0, 1000.0]]]])
    x = Tensor(np.array([[[[1.0, 2.0], [3.0, 4.0]]]]))
    flipped = "the filter was turned round: a layer multiplies numbers of one place"
    wrong = {((((1234,),),),): flipped, ((((4231,),),),): "rows and columns are exchanged"}
    grade.close(layer(x), [[[[4321]]]], "[[1, 2], [3, 4]] by [[1, 10], [100, 1000]]", wrong)


def test_zeros_stand_on_all_four_sides():
    layer = conv(1, 1, 1, padding=1, bias=False)
    layer.weight.data = np.ones((1, 1, 1, 1))
    found = layer(Tensor(np.array([[[[1.0, 2.0]]]])))
    want = [[[[0, 0, 0, 0], [0, 1, 2, 0], [0, 0, 0, 0]]]]
    why = "padding p adds p rows and columns on every side"
    grade.close(np.shape(found.data), (1, 1, 3, 4), "the shape of 1 x 2 numbers, padding 1")
    moved = {((((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 1, 2)),),): why}
    grade.close(found, want, "Conv2d(1, 1, 1, padding=1) with the weight 1 of [[1, 2]]", moved)


def test_pooling_of_negative_numbers():
    x = Tensor(np.array([[[[-4.0, -3.0], [-2.0, -1.0]]]]), requires_grad=True)
    y = MaxPool2d(2)(x)
    wrong = {
        ((((0,),),),): "the maximum begins below every number, not at 0",
        ((((-2.5,),),),): "this is the mean of a window: take its maximum",
    }
    grade.close(y, [[[[-1]]]], "MaxPool2d(2) of -4, -3, -2, -1", wrong)
    y.backward(np.array([[[[7.0]]]]))
    grade.close(x.grad, [[[[0, 0], [0, 7]]]], "its gradient for g = 7")


def test_pooling_keeps_samples_and_channels_apart():
    x = rng().permutation(144).astype(float).reshape(2, 3, 4, 6)
    want = x.reshape(2, 3, 2, 2, 3, 2).max((3, 5))
    grade.close(MaxPool2d(2)(Tensor(x)), want, "MaxPool2d(2) of 2 x 3 pictures of 4 x 6 numbers")


def test_pooling():
    x = Tensor(np.arange(16.0).reshape(1, 1, 4, 4), requires_grad=True)
    y = MaxPool2d(2)(x)
    grade.close(y, [[[[5, 7], [13, 15]]]], "MaxPool2d(2) of 0..15, 4 by 4")
    y.backward(np.array([[[[1.0, 2.0], [3.0, 4.0]]]]))
    grade.close(x.grad[0, 0, 1], [0, 1, 0, 2], "the gradient of its second row")


def test_pooling_with_a_stride():
    y = MaxPool2d(2, stride=1)(Tensor(np.arange(9.0).reshape(1, 1, 3, 3)))
    grade.close(y, [[[[4, 5], [7, 8]]]], "MaxPool2d(2, stride=1) of 0..8, 3 by 3")


def test_what_does_not_fit_is_refused():
    grade.raises(lambda: conv(3, 2, 3)(some(2, 1, 6, 6)), "1 channel for 3", "in_channels is 3")
    grade.raises(lambda: conv(3, 2, 3)(some(3, 6, 6)), "a picture without N", "(N, C, H, W)")
    small = "a side is shorter than a window of 3: refuse it, or nothing comes out"
    grade.raises(lambda: conv(1, 1, 3)(some(1, 1, 2, 5)), "Conv2d(1, 1, 3) of 2 by 5", small)
    padded = "Conv2d(1, 1, 5, padding=1) of 2 by 2"
    grade.raises(lambda: conv(1, 1, 5, padding=1)(some(1, 1, 2, 2)), padded, "2 + 2 is below k")
    grade.raises(lambda: MaxPool2d(3)(some(1, 1, 2, 5)), "MaxPool2d(3) of 2 by 5", small)


def test_float32_stays_float32():
    y = Conv2d(1, 2, 3, rng=rng())(Tensor(np.ones((1, 1, 4, 4), np.float32)))
    grade.true(y.dtype == np.float32, f"Conv2d is float32; it is {y.dtype}", "keep the dtype")


def test_the_arguments_have_pytorch_s_names():
    sizes = {"in_channels": 1, "out_channels": 2, "kernel_size": 3, "stride": 2, "padding": 1}
    x = Tensor(some(1, 1, 5, 5).data.astype(np.float32))
    want = Conv2d(1, 2, 3, 2, 1, rng=rng())(x)
    grade.close(Conv2d(**sizes, rng=rng())(x), want.data, "the same picture, by name")
