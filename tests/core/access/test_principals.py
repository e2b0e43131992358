from __future__ import annotations

import pytest

from groundkit_core.access import ANONYMOUS, Identity, Policy, PolicyError, Principal

POLICY = Policy(
    identities=(
        Identity("engineer", subject="build-bot"),
        Identity("auditor", claims=(("groups", "audit"), ("tenant", "north"))),
        Identity("engineer", claims=(("groups", "platform"),)),
        Identity("auditor", claims=(("groups", "audit"),)),
    )
)


@pytest.mark.parametrize(
    ("principal", "profile"),
    [
        (Principal("build-bot"), "engineer"),
        (Principal("Build-bot"), "restricted"),
        (Principal("x", {"groups": ("audit",), "tenant": "north"}), "auditor"),
        (Principal("x", {"groups": "platform"}), "engineer"),
        (Principal("x", {"groups": ("a", "platform")}), "engineer"),
        (Principal("x", {"groups": "a platform"}), "restricted"),
        (Principal("x", {"roles": "platform"}), "restricted"),
        (Principal("x"), "restricted"),
        (ANONYMOUS, "restricted"),
    ],
)
def test_a_principal_gets_the_profile_of_what_was_verified(
    principal: Principal, profile: str
) -> None:
    assert POLICY.profile_of(principal).name == profile


def test_of_several_identities_the_first_in_the_file_decides() -> None:
    both = Principal("x", {"groups": ("audit", "platform")})
    assert POLICY.bind(both).profile.name == "engineer"
    assert POLICY.bind(both).why == "identity 3 matches by the claim groups"


def test_what_a_principal_claims_is_in_no_explanation_and_no_repr() -> None:
    secret = Principal("x", {"groups": ("platform",), "email": "person@example.org"})
    assert "person" not in repr(secret)
    assert "platform" not in POLICY.bind(secret).why


def test_an_identity_without_conditions_matches_nobody() -> None:
    everyone = Policy(identities=(Identity("auditor"), Identity("auditor", subject="")))
    assert everyone.profile_of(ANONYMOUS).name == "restricted"
    assert everyone.profile_of(Principal("x")).name == "restricted"


def test_claims_of_other_types_match_nothing() -> None:
    token = {"groups": ["platform", 7, None], "tenant": 5, "address": {"groups": "audit"}}
    principal = Principal.of("x", token)
    assert dict(principal.claims) == {"groups": ("platform",)}
    assert not principal.holds("tenant", "5")


def test_a_principal_cannot_be_changed_after_it_was_verified() -> None:
    claims: dict[str, str | tuple[str, ...]] = {"groups": "guests"}
    principal = Principal("x", claims)
    claims["groups"] = "audit"
    assert principal.claims["groups"] == "guests"
    with pytest.raises(TypeError):
        principal.claims["groups"] = "audit"  # type: ignore[index]
    assert hash(principal) == hash(Principal("x", {"groups": "guests"}))


@pytest.mark.parametrize("name", [None, "", "root", "Engineer", " engineer"])
def test_a_missing_or_unknown_profile_name_is_restricted_and_said(name: str | None) -> None:
    binding = POLICY.named(name)
    assert (binding.profile.name, binding.fell_back) == ("restricted", True)
    assert name is None or not name.strip() or name not in binding.why


def test_a_known_profile_name_is_taken() -> None:
    assert POLICY.named("auditor").profile.name == "auditor"
    assert not POLICY.named("auditor").fell_back


def test_an_identity_names_a_profile_that_exists() -> None:
    with pytest.raises(PolicyError, match=r"identities\[1\]\.profile: no such profile"):
        Policy(identities=(Identity("nobody", subject="x"),))
