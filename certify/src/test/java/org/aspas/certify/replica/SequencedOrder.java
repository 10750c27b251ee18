package org.aspas.certify.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.machine.TotalOrder;

/**
 * A total order in memory whose every step is somebody's call: for tests. Commands wait until {@link
 * #order} gives one of them the next place, which needs a quorum of members; {@link #deliver} then applies it at one member.
 * As with an order over sockets that keeps nothing on disk, a member that joins gets a snapshot of the one that is furthest
 * ahead, and when the last member has left, the order begins anew; commands that wait outlive that, as messages under way
 * do. Deterministic and not thread-safe.
 */
public final class SequencedOrder {
    private final int quorum;
    private final List<byte[]> waiting = new ArrayList<>();
    private final List<byte[]> ordered = new ArrayList<>();
    private final TreeMap<Integer, Member> members = new TreeMap<>();

    private final class Member implements TotalOrder {
        private final int index;
        private final OrderedMachine machine;
        private int position;

        Member(int index, OrderedMachine machine) {
            this.index = index;
            this.machine = machine;
        }

        @Override
        public boolean isReady() {
            return members.get(index) == this;
        }

        @Override
        public boolean leads() {
            return isReady() && members.firstKey() == index;
        }

        @Override
        public void submit(byte[] command) {
            if (isReady()) {
                waiting.add(command.clone());
            }
        }

        @Override
        public void close() {
            if (isReady()) {
                members.remove(index);
            }
            if (members.isEmpty()) {
                ordered.clear();
            }
        }
    }

    /**
     * An order without members.
     *
     * @param quorum how many members must be there for anything to be ordered, such as 2b+1
     */
    public SequencedOrder(int quorum) {
        this.quorum = quorum;
    }

    /**
     * Adds a member, which takes over the state of the member that is furthest ahead, if there is one.
     *
     * @param index a number that no present member has
     * @param machine is driven by {@link #deliver}
     * @throws IllegalArgumentException when the index is taken
     */
    public TotalOrder join(int index, OrderedMachine machine) {
        if (members.containsKey(index)) {
            throw new IllegalArgumentException("member " + index + " is there already");
        }
        Member member = new Member(index, machine);
        Optional<Member> ahead =
                members.values().stream().reduce((one, other) -> other.position > one.position ? other : one);
        ahead.ifPresent(source -> {
            machine.restore(source.machine.snapshot());
            member.position = source.position;
        });
        members.put(index, member);
        return member;
    }

    /** How many commands wait for a place. */
    public int waiting() {
        return waiting.size();
    }

    /** Whether enough members are there to order anything. */
    public boolean canOrder() {
        return members.size() >= quorum;
    }

    /**
     * Gives a waiting command the next place.
     *
     * @param pick which one, from 0, in the order in which they were submitted
     * @return false when too few members are there, and nothing happened
     */
    public boolean order(int pick) {
        if (!canOrder()) {
            return false;
        }
        ordered.add(waiting.remove(pick));
        return true;
    }

    /** Loses a waiting command. */
    public void lose(int pick) {
        waiting.remove(pick);
    }

    /** Whether a command is ready for delivery to a member. */
    public boolean hasNext(int index) {
        Member member = members.get(index);
        return member != null && member.position < ordered.size();
    }

    /**
     * Applies the next command at a member; whatever its machine throws comes out here, and the command counts as applied.
     *
     * @return the machine's answer; empty when the member has applied all, or is not there
     */
    public Optional<byte[]> deliver(int index) {
        Member member = members.get(index);
        if (member == null || member.position >= ordered.size()) {
            return Optional.empty();
        }
        byte[] command = ordered.get(member.position);
        member.position++;
        return Optional.of(member.machine.apply(command.clone()));
    }

    /** Orders and delivers all that waits, in the order of submission, until nothing more comes; for tests without chance. */
    public void settle() {
        boolean moved = true;
        while (moved) {
            moved = !waiting.isEmpty() && order(0);
            for (int index : List.copyOf(members.keySet())) {
                while (deliver(index).isPresent()) {
                    moved = true;
                }
            }
        }
    }
}
