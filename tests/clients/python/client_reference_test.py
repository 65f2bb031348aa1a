"""Every public member has a docstring: the reference (./dev reference) is made of these."""

import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType

import pytest

pytestmark = pytest.mark.smoke

MODULES = {
    "pitboss": (),
    "pitboss.aio": (),
    "pitboss.states": ("numpy",),
    "pitboss.pettingzoo": ("gymnasium", "pettingzoo"),
    "pitboss.gymnasium": ("gymnasium",),
    "pitboss.openspiel": ("pyspiel",),
    "pitboss.optuna": (),
    "pitboss.notebook": ("IPython",),
    "pitboss.dataset": (),
}


def public_members(module: ModuleType) -> Iterator[tuple[str, object]]:
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
    ]
    for name in names:
        value = getattr(module, name)
        if not (inspect.isclass(value) or inspect.isfunction(value) or inspect.ismethod(value)):
            continue
        yield name, value
        for member, raw in vars(value).items() if inspect.isclass(value) else ():
            is_code = inspect.isfunction(raw) or isinstance(raw, (property, classmethod))
            if not member.startswith("_") and (is_code or hasattr(raw, "func")):
                yield f"{name}.{member}", getattr(value, member)


@pytest.mark.parametrize("name", MODULES)
def test_public_members_have_docstrings(name: str) -> None:
    for package in MODULES[name]:
        pytest.importorskip(package)
    module = importlib.import_module(name)
    assert module.__doc__
    members = dict(public_members(module))
    assert members
    bare = [
        member
        for member, value in members.items()
        # That of a dataclass is not written by anybody.
        if not value.__doc__ or value.__doc__.startswith(f"{member}(")
    ]
    assert bare == []


def test_names_are_exported_once() -> None:
    import pitboss

    assert len(pitboss.__all__) == len(set(pitboss.__all__))
    assert all(hasattr(pitboss, name) for name in pitboss.__all__)
