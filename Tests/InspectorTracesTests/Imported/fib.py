import threading


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


threads = [threading.Thread(target=fib, args=(3,), name=f"worker {i}") for i in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
