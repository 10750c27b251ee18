package org.aspas.emulab.sim.adversary;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.node.ReplicaBehavior;
import org.aspas.emulab.sim.node.Wire;

/** Tells when a behavior first does something else than a correct bftserver would. */
public final class WatchedReplica implements ReplicaBehavior {
    private final ReplicaBehavior inner;
    private final Runnable misdeed;
    private boolean told;

    /**
     * A behavior under observation.
     *
     * @param misdeed runs once, at the first misdeed
     */
    public WatchedReplica(ReplicaBehavior inner, Runnable misdeed) {
        this.inner = inner;
        this.misdeed = misdeed;
    }

    private void tell() {
        if (!told) {
            told = true;
            misdeed.run();
        }
    }

    /** Lets one thing through a behavior, and notes when not exactly that comes out. */
    private <T> void watch(T due, Consumer<T> exit, Consumer<Consumer<T>> behavior) {
        int[] count = {0};
        behavior.accept(left -> {
            count[0]++;
            if (left != due) {
                tell();
            }
            exit.accept(left);
        });
        if (count[0] != 1) {
            tell();
        }
    }

    @Override
    public void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
        watch(wire, exit, watched -> inner.toAppserver(to, wire, watched));
    }

    @Override
    public void submit(byte[] command, Consumer<byte[]> exit) {
        watch(command, exit, watched -> inner.submit(command, watched));
    }

    @Override
    public void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
        watch(word, exit, watched -> inner.toReplica(to, word, watched));
    }

    @Override
    public void heard(Wire word, BiConsumer<NodeId, Wire> exit) {
        inner.heard(word, (to, lie) -> {
            tell();
            exit.accept(to, lie);
        });
    }

    @Override
    public void ordered(Wire command) {
        inner.ordered(command);
    }

    @Override
    public void tick(Consumer<byte[]> exit) {
        inner.tick(command -> {
            tell();
            exit.accept(command);
        });
    }
}
