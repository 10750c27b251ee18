package org.aspas.appserver.core.certification;

import java.util.List;
import org.aspas.crdt.clock.VersionVector;

/**
 * How old the hashes of forgotten leaves are, in a time that runs only while the server does: it begins with the server's first process, and
 * goes on in the next one.
 *
 * @param clock that time, in milliseconds
 * @param marks up to which version leaves go together, the oldest first
 */
public record LeafAges(long clock, List<Mark> marks) {
    /** Of a server that forgot nothing yet. */
    public static final LeafAges NONE = new LeafAges(0, List.of());

    public LeafAges {
        marks = List.copyOf(marks);
    }

    /**
     * Leaves that go together.
     *
     * @param version up to where they are
     * @param begin when the first of their certificates was adopted, by that clock
     * @param adoptedAt when the last one was
     */
    public record Mark(VersionVector version, long begin, long adoptedAt) {}
}
