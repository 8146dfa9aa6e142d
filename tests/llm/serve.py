"""Serves a model's file like OpenAI on loopback, with one thread; its first line is the address."""

from __future__ import annotations

import sys
import threading

import xllamacpp

given = xllamacpp.CommonParams()
given.model.path = sys.argv[1]
given.n_ctx = 8192
given.n_parallel = 1
given.warmup = False
given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(given)
print(server.listening_address, flush=True)
threading.Event().wait()
