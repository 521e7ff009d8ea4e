"""Draws the print scenes, each as an image of its full size, and a sheet of small ones."""
import os
import shlex
import subprocess

from . import layouts, made_data, prints

ROOT = made_data.ROOT


def draw(tool, folder):
    """Returns the scenes as (name, title, command, messages); fails if one of them has no image."""
    made = folder / "made"
    made_data.write(made)
    scenes = prints.PRINTS + layouts.LAYOUTS
    assert len(prints.FIRST) == len(layouts.LAYOUTS) == 30 and len(scenes) == len({name for name, *_ in scenes}) == 77
    found = []
    for name, about, command in scenes:
        image = folder / f"{name}.png"
        words = shlex.split(command.replace("{made}", str(made)).replace("{out}", str(image)).replace("{folder}", str(folder)))
        messages = ""
        if words:
            done = subprocess.run([tool, *words], cwd=ROOT, capture_output=True, text=True, check=False)
            messages = done.stderr
            if done.returncode:
                messages += f"exit code {done.returncode}\n{done.stdout}"
        for scene, file in prints.RENAMED.items():
            if (folder / file).exists():
                os.replace(folder / file, folder / f"{scene}.png")
        for file in made.glob(f"{name}.png"):
            os.replace(file, image)
        found.append((name, about, command, messages))
    (folder / "messages.txt").write_text("".join(f"{name}: {command}\n{messages}\n" for name, _, command, messages in found))
    missing = [name for name, *_ in found if not (folder / f"{name}.png").exists()]
    if missing:
        raise SystemExit(f"not drawn: {', '.join(missing)}; see {folder / 'messages.txt'}")
    return found


def sheet(folder, scenes, columns=6, width=320, height=270):
    """Writes all scenes as small images on one sheet, if Debian's python3-pil is installed."""
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        return False
    lines = -(-len(scenes) // columns)
    page = Image.new("RGB", (columns * width, lines * height), "white")
    pen = ImageDraw.Draw(page)
    for number, (name, *_) in enumerate(scenes):
        image = Image.open(folder / f"{name}.png").convert("RGBA")
        image.thumbnail((width - 12, height - 28))
        left, top = number % columns * width + 6, number // columns * height + 20
        page.paste(image, (left, top), image)
        pen.text((left, top - 16), f"{number + 1} {name}", fill="black")
    page.save(folder / "sheet.png")
    return True
