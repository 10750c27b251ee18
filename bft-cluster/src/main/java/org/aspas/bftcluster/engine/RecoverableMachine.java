package org.aspas.bftcluster.engine;

import bftsmart.statemanagement.ApplicationState;
import bftsmart.statemanagement.StateManager;
import bftsmart.tom.MessageContext;
import bftsmart.tom.ReplicaContext;
import bftsmart.tom.server.Recoverable;
import bftsmart.tom.server.SingleExecutable;
import bftsmart.tom.server.defaultservices.DefaultApplicationState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.machine.OrderedMachine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the library's commands to the machine, each instance once and none left out. Nothing that the machine throws
 * reaches the library, where it would drop the rest of a batch on this replica alone: the answer is then
 * {@link #FAILED}, the same on every replica that runs the same code.
 */
final class RecoverableMachine implements Recoverable, SingleExecutable {
    /** The answer to a command on which the machine threw. */
    static final byte[] FAILED = {(byte) 0xff};

    private static final Logger LOG = LoggerFactory.getLogger(RecoverableMachine.class);

    private final OrderedMachine machine;
    private final OrderLog log;
    private final StateTransfer states;
    private final List<byte[]> batch = new ArrayList<>();

    RecoverableMachine(OrderedMachine machine, Quorums quorums, int checkpointPeriod, StateTransfer.Listener listener) {
        this.machine = new Guarded(machine);
        this.log = new OrderLog(this.machine, checkpointPeriod);
        this.states = new StateTransfer(log, quorums, listener);
    }

    StateTransfer states() {
        return states;
    }

    OrderLog log() {
        return log;
    }

    @Override
    public StateManager getStateManager() {
        return states;
    }

    @Override
    public void setReplicaContext(@Nullable ReplicaContext context) {
        states.askCurrentConsensusId();
    }

    @Override
    public byte[] executeOrdered(byte @Nullable [] command, MessageContext context) {
        byte[] given = command == null ? new byte[0] : command;
        if (log.incarnation() == IncarnationCheck.NEW) {
            log.begins(name(context, given));
        }
        byte[] answer = machine.apply(given);
        batch.add(given);
        if (context.isLastInBatch()) {
            log.applied(context.getConsensusId(), batch);
            batch.clear();
        }
        return answer;
    }

    /** What an incarnation is called that begins with this command: made of the bytes that every replica is given alike. */
    private static int name(MessageContext context, byte[] command) {
        byte[] bytes = ByteBuffer.allocate(3 * Integer.BYTES + command.length)
                .putInt(context.getSender())
                .putInt(context.getSession())
                .putInt(context.getSequence())
                .put(command)
                .array();
        int name = ByteBuffer.wrap(Hash.sha256(bytes).toBytes()).getInt();
        return IncarnationCheck.isName(name) ? name : -1;
    }

    @Override
    public byte[] executeUnordered(byte @Nullable [] command, @Nullable MessageContext context) {
        return new byte[0];
    }

    @Override
    public ApplicationState getState(int instance, boolean whole) {
        return log.upTo(instance)
                .map(state -> new DefaultApplicationState(
                        null, state.snapshotPosition(), state.position(), state.encode(), null, 0))
                .orElseGet(DefaultApplicationState::new);
    }

    @Override
    public int setState(ApplicationState transferred) {
        byte[] encoded = transferred.getSerializedState();
        TransferredState.decode(encoded == null ? new byte[0] : encoded).ifPresent(state -> {
            try {
                log.install(state);
                batch.clear();
            } catch (IllegalArgumentException refused) {
                LOG.error("a transferred snapshot of {} bytes was refused", state.snapshot().length, refused);
            }
        });
        return log.position();
    }

    @Override
    public void Op(int instance, byte @Nullable [] command, @Nullable MessageContext context) {
        // The commands are noted when they are executed.
    }

    @Override
    public void noOp(int instance, byte[] @Nullable [] commands, MessageContext @Nullable [] contexts) {
        if (instance == log.position() + 1) {
            log.applied(instance, List.of());
        }
    }

    /** The machine, with {@link #FAILED} for whatever it throws on a command. */
    private record Guarded(OrderedMachine machine) implements OrderedMachine {
        @Override
        public byte[] apply(byte[] command) {
            try {
                return machine.apply(command);
            } catch (Throwable bug) {
                LOG.error("the ordered machine threw on a command of {} bytes", command.length, bug);
                return FAILED.clone();
            }
        }

        @Override
        public byte[] snapshot() {
            return machine.snapshot();
        }

        @Override
        public void restore(byte[] snapshot) {
            machine.restore(snapshot);
        }
    }
}
