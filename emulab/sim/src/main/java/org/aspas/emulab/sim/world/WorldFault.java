package org.aspas.emulab.sim.world;

import java.util.List;
import java.util.function.Predicate;
import org.aspas.certify.identity.NodeId;

/** One event on a world's timeline. Times are microseconds since the workload began. */
public sealed interface WorldFault {
    long begins();

    /** When it ends; {@link Long#MAX_VALUE} for never. */
    long ends();

    /**
     * Parties of different groups do not reach each other.
     *
     * @param groups at least two; a party of none of them reaches everybody
     */
    record Partition(long begins, long ends, List<Group> groups) implements WorldFault {
        public Partition {
            groups = List.copyOf(groups);
        }

        /**
         * Whether two parties do not reach each other: they are in different groups and in none together.
         *
         * @param one whether a group has the one party
         * @param other whether a group has the other party
         */
        public boolean separates(Predicate<Group> one, Predicate<Group> other) {
            return Group.across(groups, one, other) && groups.stream().noneMatch(one.and(other));
        }
    }

    /**
     * Links between two groups are slower, in both directions.
     *
     * @param byMicros how much longer a message takes one way
     */
    record SlowLink(long begins, long ends, Group some, Group others, long byMicros) implements WorldFault {
        /**
         * Whether the link between two parties is one of these.
         *
         * @param one whether a group has the one party
         * @param other whether a group has the other party
         */
        public boolean slows(Predicate<Group> one, Predicate<Group> other) {
            return Group.across(List.of(some, others), one, other);
        }
    }

    /** A process stands still, with its sockets open. */
    record Freeze(long begins, long ends, NodeId node) implements WorldFault {}

    /** A process ends without notice, and starts again at the end. */
    record Kill(long begins, long ends, NodeId node) implements WorldFault {}

    /**
     * An appserver behaves by a Byzantine role from then on.
     *
     * @param role its name in {@code simulate --list-roles}
     */
    record Misbehave(long begins, NodeId node, String role) implements WorldFault {
        @Override
        public long ends() {
            return Long.MAX_VALUE;
        }
    }
}
