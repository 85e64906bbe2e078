"""What the clients of an address may spend over time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain.account import Account, Allowance
from server.domain.errors import ApiError, Code
from server.services import address_accounts
from server.services.address_accounts import AddressAccounts
from server.services.address_limit import AddressLimit

STEPS = st.lists(st.tuples(st.floats(0, 5), st.floats(0, 3)), max_size=50)
"""Seconds that pass, and a cost that is charged if the account allows anything."""


@given(STEPS)
def test_nobody_gets_more_than_the_burst_the_rate_and_one_overdraft(steps: list[tuple[float, float]]) -> None:
    account, now, spent = Account(Allowance(0.5, 2.0), 0.0), 0.0, 0.0
    for seconds, cost in steps:
        now += seconds
        if account.wait(now) == 0:
            account.charge(cost, now)
            spent += cost
            assert spent <= 2.0 + 0.5 * now + 3.0 + 1e-6


@given(STEPS)
def test_the_wait_that_is_told_is_enough(steps: list[tuple[float, float]]) -> None:
    account, now = Account(Allowance(0.5, 2.0), 0.0), 0.0
    for seconds, cost in steps:
        now += seconds
        account.charge(cost, now)
        now += account.wait(now) + 0.001
        assert account.wait(now) == 0


def accounts(clock: list[float]) -> AddressAccounts:
    return AddressAccounts(Allowance(1.0, 10.0), "of everything", lambda: clock[0])


def test_a_refusal_says_when_to_come_back() -> None:
    clock = [0.0]
    spending = accounts(clock)
    spending.charge("192.0.2.1", 15.0)
    spending.check("192.0.2.2")
    with pytest.raises(ApiError) as refusal:
        spending.check("192.0.2.1")
    assert refusal.value.code is Code.TOO_MANY_REQUESTS
    assert refusal.value.retry_after_ms == pytest.approx(5000, abs=10)
    assert spending.refused == 1
    clock[0] += 5.1
    spending.check("192.0.2.1")


def test_there_is_no_account_without_an_address_or_a_rate() -> None:
    spending = accounts([0.0])
    spending.charge(None, 1000.0)
    spending.check(None)
    unlimited = AddressAccounts(Allowance(0.0, 0.0), "of nothing", lambda: 0.0)
    unlimited.charge("192.0.2.1", 1000.0)
    unlimited.check("192.0.2.1")


def test_the_networks_of_one_site_share_an_account() -> None:
    spending = accounts([0.0])
    for number in range(4):
        spending.check(f"2001:db8:0:{number}::/64")
        spending.charge(f"2001:db8:0:{number}::/64", 10.0)
    with pytest.raises(ApiError):
        spending.check("2001:db8:0:99::/64")
    spending.check("2001:db8:1:99::/64")


def test_full_accounts_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_accounts, "KEPT", 10)
    clock = [0.0]
    spending = accounts(clock)
    for number in range(200):
        clock[0] += 1.0
        spending.charge(f"192.0.2.{number}", 5.0)
    assert len(spending._accounts) <= 21


def test_accounts_that_are_not_full_are_seldom_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    is_full = Account.is_full

    def counted(account: Account, now: float) -> bool:
        nonlocal looked
        looked += 1
        return is_full(account, now)

    monkeypatch.setattr(Account, "is_full", counted)
    spending = AddressAccounts(Allowance(0.001, 10.0), "of everything", lambda: 0.0)
    for number in range(5000):
        spending.charge(f"address {number}", 5.0)
    assert looked <= 2 * 5000


def test_the_networks_of_one_site_share_a_limit() -> None:
    limit = AddressLimit(2, "things")
    for number in range(8):
        limit.take(f"2001:db8:0:{number}::/64")
    with pytest.raises(ApiError):
        limit.take("2001:db8:0:99::/64")
    limit.give_back("2001:db8:0:1::/64")
    limit.take("2001:db8:0:99::/64")
    for number in (0, 2, 3, 4, 5, 6, 7, 99):
        limit.give_back(f"2001:db8:0:{number}::/64")
    assert not limit._counts
