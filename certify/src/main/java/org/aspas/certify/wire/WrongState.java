package org.aspas.certify.wire;

import java.util.List;

/**
 * A STABLE, and those of f+1 others that are equal in all but the state root, in which these agree (the protocol page, §8).
 *
 * @param stable the STABLE of the accused
 * @param others the others, by ascending server, each server once
 */
public record WrongState(Signed<Stable> stable, List<Signed<Stable>> others) implements Evidence {
    private static final Item<List<Signed<Stable>>> OTHERS =
            Item.ascending(Stable.SIGNED, other -> other.message().server());

    static final Schema<WrongState> SCHEMA =
            items -> new WrongState(items.of(Stable.SIGNED, WrongState::stable), items.of(OTHERS, WrongState::others));

    public WrongState {
        others = List.copyOf(others);
    }

    @Override
    public Accused accused() {
        return new Accused.Server(stable.message().server());
    }
}
