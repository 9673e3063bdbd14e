"""The Transformer on the command line: `python -m stage5_transformer --help`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from stage3_nn import summary
from stage4_optim.curves import plot_curves
from stage5_transformer import writing
from stage5_transformer.mistakes import find_mistakes, plot_mistakes
from stage5_transformer.pictures import attention_text, cross_weights, plot_attention
from stage5_transformer.scoring import score
from stage5_transformer.tasks import TASKS, pronounce
from stage5_transformer.training import Translator, build, train
from stage5_transformer.vocabulary import pad, shifted


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 if all went well, 1 if it was stopped, 2 for a wrong call."""
    options = parser().parse_args(arguments)
    try:
        return options.run(options)
    except (ValueError, OSError, RuntimeError, ModuleNotFoundError) as error:
        print(f"stage5_transformer: {error}", file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="python -m stage5_transformer", description=__doc__)
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("train", help="train a task, or go on with a run")
    one.add_argument("task", choices=[*TASKS, "words"])
    one.add_argument("--preset", choices=("small", "standard", "full"), default="small")
    one.add_argument("--minutes", type=float, help="stop after so many, and save")
    one.add_argument("--resume", action="store_true", help="go on with the run in the folder")
    one.add_argument("--folder", type=Path, help="default: runs/TASK-PRESET")
    one.add_argument("--seed", type=int, help="another start than the preset's")
    one.set_defaults(run=run_train)

    one = commands.add_parser("evaluate", help="the error rates of a model on the test examples")
    one.add_argument("task", choices=TASKS)
    one.add_argument("--model", type=Path, help="default: runs/TASK-small/model.safetensors")
    one.add_argument("--beam", type=int, default=1, metavar="WIDTH", help="1 is greedy")
    one.add_argument("--quick", action="store_true", help="2,000 examples only")
    one.add_argument("--mistakes", action="store_true", help="and which symbols go wrong")
    one.add_argument("--plot", type=Path, metavar="FILE", help="write a picture of the mistakes")
    one.set_defaults(run=run_evaluate)

    one = commands.add_parser("curves", help="draw the learning curves of runs")
    one.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    one.add_argument("--plot", type=Path, metavar="FILE", default=Path("curves.png"))
    one.set_defaults(run=run_curves)

    one = commands.add_parser("summary", help="shapes and parameters of a task's model")
    one.add_argument("task", choices=TASKS)
    one.add_argument("--preset", choices=("small", "standard", "full"), default="small")
    one.set_defaults(run=run_summary)

    one = commands.add_parser("pronounce", help="say English words in ARPAbet")
    one.add_argument("words", nargs="*", metavar="WORD", help="none: one per line of the input")
    one.add_argument("--model", type=Path, default=pronounce.shipped())
    one.add_argument("--beam", type=int, default=5, metavar="WIDTH", help="1 is greedy")
    one.add_argument("--plain", action="store_true", help="word, tab, phones")
    one.add_argument("--plot", type=Path, metavar="FILE", help="write the picture of the attention")
    one.set_defaults(run=run_pronounce)

    one = commands.add_parser("generate", help="invent words with a trained GPT (train words)")
    one.add_argument("beginning", nargs="?", default="")
    one.add_argument("--model", type=Path, default=Path("runs/words-small/model.safetensors"))
    one.add_argument("-n", type=int, default=10, help="how many")
    one.add_argument("--temperature", type=float, default=0.8, help="0 is greedy")
    one.add_argument("--top-k", type=int)
    one.add_argument("--top-p", type=float, default=1.0)
    one.add_argument("--seed", type=int)
    one.set_defaults(run=run_generate)
    return top


def run_train(options: argparse.Namespace) -> int:
    """Train; say how it ended and what comes next."""
    folder = options.folder or Path("runs") / f"{options.task}-{options.preset}"
    how = (folder, options.minutes, options.resume, options.seed)
    if options.task == "words":
        ended = writing.train(options.preset, *how)
    else:
        ended = train(options.task, options.preset, *how)
    print(f"ended by {ended}; the model is {folder / 'model.safetensors'}")
    return 1 if ended == "Ctrl-C" else 0


def run_evaluate(options: argparse.Namespace) -> int:
    """Print the scores on the test examples."""
    model = options.model or Path("runs") / f"{options.task}-small" / "model.safetensors"
    translator = Translator.load(model)
    examples = TASKS[options.task].load().test
    if options.quick:
        examples = pronounce.quick_test() if options.task == "pronounce" else examples[:2000]
    answers = translator.answer([example.source for example in examples], options.beam)
    print(score(answers, examples))
    if options.mistakes or options.plot:
        found = find_mistakes(answers, examples)
        print(f"\n{found}")
        if options.plot:
            plot_mistakes(found, options.plot)
    return 0


def run_curves(options: argparse.Namespace) -> int:
    """Draw the loss and the evaluations of run folders into a file."""
    plot_curves(*options.folders, path=options.plot)
    print(f"the picture is {options.plot}")
    return 0


def run_summary(options: argparse.Namespace) -> int:
    """Print a line per layer: its name, the shape that it makes, its parameters."""
    task = TASKS[options.task]
    translator, data, _ = build(task, task.presets[options.preset])
    example = data.dev[0]
    source = pad([translator.source.encode(example.source)])
    target, _ = shifted([translator.target.encode(example.targets[0])])
    print(f"{''.join(example.source)}, {len(example.source)} symbols in, {target.shape[1]} out\n")
    print(summary(translator.model, source, target))
    return 0


def run_pronounce(options: argparse.Namespace) -> int:
    """Print the phones of every word, with what each of them looked at."""
    translator = Translator.load(options.model)
    plain = options.plain or not sys.stdout.isatty()
    for word in options.words or lines_of(sys.stdin):
        if not pronounce.WORD.fullmatch(word.lower()):
            raise ValueError(f"pronounce: expected letters and apostrophes, got {word!r}")
        letters = tuple(word.lower())
        (phones,) = translator.answer([letters], options.beam)
        if plain:
            print(f"{word}\t{' '.join(phones)}", flush=True)
        else:
            weights = cross_weights(translator, letters, phones)
            print(f"{word}: {' '.join(phones)}\n\n{attention_text(letters, phones, weights)}\n")
        if options.plot:
            plot_attention(
                letters, phones, cross_weights(translator, letters, phones), options.plot
            )
    return 0


def run_generate(options: argparse.Namespace) -> int:
    """Print invented words, one a line."""
    writer = writing.Writer.load(options.model)
    rng = np.random.default_rng(options.seed)
    limits = (options.temperature, options.top_k, options.top_p)
    for word in writer.write(options.n, options.beginning, *limits, rng=rng):
        print(word)
    return 0


def lines_of(stream: Iterable[str]) -> Iterable[str]:
    """The lines that are not empty, without blanks around them, as they come."""
    return (line.strip() for line in stream if line.strip())


if __name__ == "__main__":
    sys.exit(main())
