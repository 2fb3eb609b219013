"""Files for operators: the containers, the unit and the alerts name only things that exist, and never run as root."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from ledger.cli import COMMANDS, cli, plugins
from runtime_home import built
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.commands import PORT, serve

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs" / "deploy"
PAGE = (ROOT / "docs" / "operating.md").read_text("utf-8")
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
EVERYTHING = [PAGE, DOCKERFILE, (DEPLOY / "compose.yaml").read_text("utf-8")]


def blocks(kind: str) -> list[str]:
    """The code blocks of the page in that language."""
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def commands() -> list[list[str]]:
    """Every call of the command in the page, the unit, the Dockerfile and the compose file."""
    lines = [re.sub(r"^RUN.*|[\[\]\",]", " ", line) for line in DOCKERFILE.splitlines() if line.startswith("CMD")]
    lines += [line.partition("#")[0] for block in (*blocks("sh"), *blocks("ini")) for line in block.splitlines()]
    lines += re.findall(r"`(domino-ledger [^`]*)`", PAGE)
    lines.append(" ".join(COMPOSE["services"]["viewer"]["command"]))
    parts = (re.split(r"\bdomino-ledger ", line, maxsplit=1) for line in lines)
    return [shlex.split(part[1].partition(">")[0]) for part in parts if len(part) == 2 and "systemctl" not in part[0]]


def test_every_call_names_a_command_and_options_that_exist() -> None:
    calls = [call for call in commands() if call[0] in (*COMMANDS, *plugins()) or call[0].startswith("--")]
    assert len(calls) == len(commands()) > 9
    assert sum(call[0] == "serve" for call in calls) >= 4
    for call in calls:
        if call[0] == "--ledger":
            call = call[2:]  # noqa: PLW2901  what is left
        usage = CliRunner().invoke(cli, [call[0], "--help"]).output
        for option in call[1:]:
            if option.startswith("-"):
                assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", usage), call


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_no_container_is_root_or_writes_more_than_it_must(name: str) -> None:
    container = COMPOSE["services"][name]
    assert container.get("user", "root") != "root" or re.search(r"^USER \d+$", DOCKERFILE, re.MULTILINE)
    assert container["read_only"] is True
    assert container["cap_drop"] == ["ALL"]
    assert "/tmp" in container["tmpfs"]  # noqa: S108  for requests that are too large for memory
    assert container["security_opt"] == ["no-new-privileges:true"]
    assert container["healthcheck"]["test"][0] == "CMD"
    for volume in container.get("volumes", []):
        assert volume.partition(":")[0] in COMPOSE["volumes"]
    for port in container.get("ports", []):
        assert port.startswith("127.0.0.1:")


def test_the_ledger_is_in_a_volume_that_the_viewer_may_write() -> None:
    viewer = COMPOSE["services"]["viewer"]
    ledger = Path(viewer["environment"]["DOMINO_LEDGER"])
    assert f"DOMINO_LEDGER={ledger}" in DOCKERFILE
    assert viewer["volumes"] == [f"ledger:{ledger.parent}"]
    assert re.search(rf"^VOLUME {ledger.parent}$", DOCKERFILE, re.MULTILINE)
    (user,) = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    assert f"install --directory --owner={user} --group={user} --mode=700 {ledger.parent}\n" in DOCKERFILE


def test_the_viewer_answers_to_the_names_that_it_is_given() -> None:
    names = COMPOSE["services"]["viewer"]["environment"]["DOMINO_HOST_NAMES"]
    options = {option.envvar: option for option in serve.params if option.envvar}
    assert options["DOMINO_HOST_NAMES"].name == "names"
    with serve.make_context("serve", [], obj="", auto_envvar_prefix=None) as context:
        assert context.params["names"] == ()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOMINO_HOST_NAMES", f"{names} club.local")
        with serve.make_context("serve", [], obj="") as context:
            assert context.params["names"] == (names, "club.local")


def test_the_compose_file_is_one_by_the_specification() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    subprocess.run([*check, DEPLOY / "compose.yaml"], check=True)


def test_ports_and_checks_of_the_containers_are_those_of_the_image_and_of_the_command() -> None:
    viewer = COMPOSE["services"]["viewer"]
    (exposed,) = re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE)
    assert int(exposed) == PORT
    assert viewer["ports"] == [f"127.0.0.1:{PORT}:{exposed}"]
    (health,) = re.findall(r"^HEALTHCHECK .*CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert ["CMD", *json.loads(health)] == viewer["healthcheck"]["test"]
    assert f":{exposed}/" in health


def test_images_come_from_wherever_the_operator_says() -> None:
    for image in re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE):
        assert re.fullmatch(r"python:3\.1\d-slim", image)


def copies() -> list[str]:
    """The files and folders that the Dockerfile copies from the repository."""
    return [
        name for line in re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()
    ]


def test_the_files_for_the_image_exist() -> None:
    build = COMPOSE["services"]["viewer"]["build"]
    context = (DEPLOY / build["context"]).resolve()
    assert context == ROOT
    assert (context / build["dockerfile"]).samefile(DEPLOY / "Dockerfile")


def test_the_image_has_all_that_the_package_is_built_from(tmp_path) -> None:
    """What the COPY lines copy is enough for a wheel; it is installed, and started, in a folder of its own."""
    source, site = tmp_path / "source", tmp_path / "site"
    note = "viewer/in_browser/built/runtime.json"
    has_runtime = not built()
    unwanted = shutil.ignore_patterns("__pycache__")
    for name in copies():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=unwanted if name == "viewer" else None)
        else:
            shutil.copyfile(ROOT / name, source / name)
    fetched = ROOT / "build" / "runtime"
    if fetched.exists():  # what `make runtime` fetched need not be fetched again
        (source / "build").mkdir()
        (source / "build" / "runtime").symlink_to(fetched)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path], cwd=source, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*install, "--no-index", "--target", site, wheel], check=True)
    run = "import ledger, sys; from ledger.cli import main; print(ledger.__file__); sys.argv[1:] = ['games']; main()"
    done = subprocess.run(
        [sys.executable, "-c", run], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith(str(site))
    assert "zigzag" in done.stdout
    assert (site / "share/man/man1/domino-ledger.1").exists()
    assert bool(list(site.glob("viewer/in_browser/built/*/NOTICE.txt"))) == has_runtime
    # The build takes the runtime that is there only if it would make the same from what was copied.
    assert not has_runtime or (site / note).read_bytes() == (ROOT / note).read_bytes()


@pytest.mark.parametrize("name", ["check", "publish"])
def test_a_workflow_runs_what_anybody_can_run_here(name: str) -> None:
    (job,) = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8"))["jobs"].values()
    makefile = (ROOT / "Makefile").read_text("utf-8")
    made = [step["run"].split()[1:] for step in job["steps"] if step.get("run", "").startswith("make ")]
    assert made == {"check": [], "publish": [["runtime", "docs"]]}[name]
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for targets in made for target in targets)
    assert (ROOT / ".ci" / "run").exists()


def test_what_is_published_is_the_folder_that_the_docs_are_built_into() -> None:
    publish = (ROOT / ".github" / "workflows" / "publish.yml").read_text("utf-8")
    (folder,) = re.findall(r"^ +path: (\S+)$", publish, re.MULTILINE)
    assert re.search(rf"^site_dir: {folder}$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    # No address is invented: the pages have the one that the repository's host gives them.
    assert not re.findall(r"https?://\S+", publish)
    assert "site_url" not in (ROOT / "mkdocs.yml").read_text("utf-8")


def test_health_is_asked_at_the_address_in_the_docs() -> None:
    client = create_app(TemporaryStore).test_client()
    paths = [path for text in EVERYTHING[1:] for path in re.findall(r"127\.0\.0\.1:8000(/\w+)", text)]
    assert len(paths) == 2
    assert {client.get(path).status_code for path in paths} == {200}
