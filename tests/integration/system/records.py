"""What the simulator's journal says of commands: who sent them, and none twice."""
import audit


def power_commands(world, name="", since=0):
    """Resets that BMCs have accepted."""
    return [entry for entry in world.fleet.journal(name, since)
            if entry["kind"] == "request" and entry["action"] == "reset" and audit.accepted(entry)]


def logins(world, name, since=0):
    return [entry for entry in world.fleet.journal(name, since) if entry["action"] == "login"]


def one_command_each(world, names, since, what):
    """Since then each of these servers was sent exactly one power command, by an agent."""
    for name in names:
        sent = power_commands(world, name, since)
        assert len(sent) == 1 and sent[0]["sender"] == "agent", \
            f"{name}: {what} should take one command of the agent, and took {[audit.told(entry) for entry in sent] or 'none'}"


def nothing_twice(world):
    audit.no_command_twice(world.fleet.journal())


def by(world, sender):
    return [entry for entry in world.fleet.journal() if entry["sender"] == sender]
