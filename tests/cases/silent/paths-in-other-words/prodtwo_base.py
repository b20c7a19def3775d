from pathlib import Path


def save(folder, name):
    (Path(folder) / f"{name}.txt").write_text("saved\n")
