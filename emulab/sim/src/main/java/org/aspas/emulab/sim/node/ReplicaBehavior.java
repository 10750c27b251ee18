package org.aspas.emulab.sim.node;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.aspas.certify.identity.NodeId;

/** How a bftserver behaves, given what a correct one would do. */
public interface ReplicaBehavior {
    /** It wants to send a frame to an appserver. */
    default void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
        exit.accept(wire);
    }

    /** It wants to submit a command to the order. */
    default void submit(byte[] command, Consumer<byte[]> exit) {
        exit.accept(command);
    }

    /** It wants to give another bftserver a word, an ACCEPT or a COMMIT, that it also submits to the order. */
    default void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
        exit.accept(word);
    }

    /** Another bftserver gave it a word before the order has it; its core gets it besides. What is given here goes to a bftserver. */
    default void heard(Wire word, BiConsumer<NodeId, Wire> exit) {}

    /** A command came out of the order; its machine gets it besides. */
    default void ordered(Wire command) {}

    /** Time passes; what is given here goes into the order. */
    default void tick(Consumer<byte[]> exit) {}
}
