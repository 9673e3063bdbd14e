"""The Transformer on the command line: `python -m stage5_transformer --help`."""

from __future__ import annotations

import argparse
import errno
import os
import sys
import traceback
import warnings
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from stage3_nn import summary
from stage4_optim import plot_curves
from stage5_transformer.attention_maps import attention_text, cross_weights, plot_attention
from stage5_transformer.confusions import find_confusions, plot_confusions
from stage5_transformer.ensemble import load_together
from stage5_transformer.scoring import score
from stage5_transformer.tasks import TASKS, pronounce
from stage5_transformer.training import build, train
from stage5_transformer.training_gpt import train_gpt
from stage5_transformer.typed_numbers import at_least
from stage5_transformer.vocabulary import pad, shifted
from stage5_transformer.writer import Writer


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 if all went well, 1 if it was stopped, 2 for a wrong call."""
    options = parser().parse_args(arguments)
    warnings.showwarning = lambda message, *_: print(message, file=sys.stderr)
    try:
        return options.run(options)
    except KeyboardInterrupt:
        return complain("stopped", 1)
    except BrokenPipeError:  # as in `... | head`: nobody reads any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except ModuleNotFoundError as error:
        return complain(f"{error}; pip install {error.name}" if error.name else str(error))
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        onward = "; make room, then call it again" if error.errno == errno.ENOSPC else ""
        return complain(f"{error.strerror or error}{place}{onward}")
    except NotImplementedError as unfinished:
        return complain(f"{unfinished} is not written yet")
    except (ValueError, RuntimeError, FloatingPointError) as error:
        if not is_refusal(error):
            raise
        return complain(str(error))


def is_refusal(error: BaseException) -> bool:
    """True for an error that a line of code raised on purpose; its message says enough."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (last.line or "").startswith("raise ")


def complain(text: str, code: int = 2) -> int:
    """Say what went wrong where errors are said; the exit code."""
    print(f"stage5_transformer: {text}", file=sys.stderr)
    return code


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="python -m stage5_transformer", description=__doc__)
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("train", help="train a task, or go on with a run")
    one.add_argument("task", choices=[*TASKS, "words"])
    one.add_argument("--preset", choices=("small", "standard", "full"), default="small")
    one.add_argument("--minutes", type=at_least(0.01, float), help="stop after so many, and save")
    one.add_argument("--resume", action="store_true", help="go on with the run in the folder")
    one.add_argument("--folder", type=Path, help="default: runs/TASK-PRESET")
    one.add_argument("--seed", type=at_least(0), help="another start than the preset's")
    one.set_defaults(run=run_train)

    one = commands.add_parser("evaluate", help="the error rates of a model on the test examples")
    one.add_argument("task", choices=TASKS)
    add_models(one, "default: runs/TASK-small/model.safetensors")
    one.add_argument("--beam", type=at_least(1), default=1, metavar="WIDTH", help="1 is greedy")
    one.add_argument("--quick", action="store_true", help="2,000 examples only")
    one.add_argument(
        "--confusions", "--mistakes", action="store_true", help="and which symbols go wrong"
    )
    one.add_argument("--plot", type=Path, metavar="FILE", help="write a picture of the confusions")
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
    add_models(one, "default: the one that comes with the course")
    one.add_argument("--beam", type=at_least(1), default=5, metavar="WIDTH", help="1 is greedy")
    one.add_argument("--plain", action="store_true", help="word, tab, phones")
    one.add_argument("--plot", type=Path, metavar="FILE", help="write the picture of the attention")
    one.set_defaults(run=run_pronounce)

    one = commands.add_parser("generate", help="invent words with a trained GPT (train words)")
    one.add_argument("beginning", nargs="?", default="")
    one.add_argument("--model", type=Path, default=Path("runs/words-small/model.safetensors"))
    one.add_argument("-n", type=at_least(1), default=10, help="how many")
    one.add_argument("--temperature", type=at_least(0, float), default=0.8, help="0 is greedy")
    one.add_argument("--top-k", type=at_least(1))
    one.add_argument("--top-p", type=float, default=1.0)
    one.add_argument("--seed", type=at_least(0))
    one.set_defaults(run=run_generate)
    return top


def add_models(one: argparse.ArgumentParser, default: str) -> None:
    """The option --model, which may come several times: these models answer together."""
    text = f"{default}; several answer together"
    one.add_argument("--model", type=Path, action="append", metavar="FILE", help=text)


def run_train(options: argparse.Namespace) -> int:
    """Train; say how it ended and what comes next."""
    folder = options.folder or Path("runs") / f"{options.task}-{options.preset}"
    begun = (folder / "checkpoint.safetensors").exists()
    if begun and not options.resume:
        raise ValueError(
            f"train: expected a new run folder, got {folder} with a run in it; "
            "go on with --resume, or choose another --folder"
        )
    if options.resume and not begun:
        raise ValueError(
            f"train: expected a run to resume in {folder}, got none; leave --resume out"
        )
    how = (folder, options.minutes, options.resume, options.seed)
    if options.task == "words":
        ended = train_gpt(options.preset, *how)
    else:
        ended = train(options.task, options.preset, *how)
    print(f"ended by {ended}; the model is {folder / 'model.safetensors'}")
    return complain("stopped; --resume goes on from there", 1) if ended == "Ctrl-C" else 0


def run_evaluate(options: argparse.Namespace) -> int:
    """Print the scores on the test examples."""
    small = Path("runs") / f"{options.task}-small" / "model.safetensors"
    translator = load_together(options.model or [small], options.task)
    examples = TASKS[options.task].load().test
    if options.quick:
        examples = pronounce.quick_test() if options.task == "pronounce" else examples[:2000]
    answers = translator.answer([example.source for example in examples], options.beam)
    print(score(answers, examples))
    if options.confusions or options.plot:
        found = find_confusions(answers, examples)
        print(f"\n{found}")
        if options.plot:
            plot_confusions(found, options.plot)
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
    """Print the phones of every word, with what each of them looked at.

    What is no word is told, and the others go on.
    """
    translator = load_together(options.model or [pronounce.shipped()], "pronounce")
    code = 0
    if options.plot and len(options.words) != 1:
        raise ValueError(f"pronounce: expected one word for --plot, got {len(options.words)}")
    plain = options.plain or not sys.stdout.isatty()
    for word in options.words or lines_of(sys.stdin or ()):
        if not pronounce.WORD.fullmatch(word.lower()):
            code = complain(f"pronounce: expected letters and apostrophes, got {word!r}")
            continue
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
    return code


def run_generate(options: argparse.Namespace) -> int:
    """Print invented words, one a line."""
    writer = Writer.load(options.model)
    rng = np.random.default_rng(options.seed)
    limits = (options.temperature, options.top_k, options.top_p)
    for word in writer.write(options.n, options.beginning.lower(), *limits, rng=rng):
        print(word)
    return 0


def lines_of(stream: Iterable[str]) -> Iterable[str]:
    """The lines that are not empty, without blanks around them, as they come."""
    lines = (line.strip("\ufeff \t\r\n") for line in stream)  # \ufeff: a mark that Windows writes
    return (line for line in lines if line)


if __name__ == "__main__":
    sys.exit(main())
