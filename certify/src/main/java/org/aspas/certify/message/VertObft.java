package org.aspas.certify.message;

import java.util.List;

/**
 * VERTOBFT (paper §3.5): how far an appserver has delivered, as signed heads, so that nobody can report what an origin
 * never signed. A missing origin counts as 0.
 *
 * @param server the reporter
 * @param heads at most one signed head per origin, in origin order
 */
public record VertObft(int server, List<Signed<Head>> heads) implements Message {
    /** Copies the list. */
    public VertObft {
        heads = List.copyOf(heads);
    }

    @Override
    public Kind kind() {
        return Kind.VERTOBFT;
    }
}
