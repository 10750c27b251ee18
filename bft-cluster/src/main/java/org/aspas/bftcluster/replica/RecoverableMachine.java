package org.aspas.bftcluster.replica;

import bftsmart.statemanagement.StateManager;
import bftsmart.tom.MessageContext;
import bftsmart.tom.server.defaultservices.DefaultSingleRecoverable;
import org.aspas.certify.machine.OrderedMachine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the library's commands to the machine. Nothing that the machine throws reaches the library, where it would drop
 * the rest of a batch on this replica alone: the answer is then {@link #FAILED}, the same on every replica that runs the
 * same code.
 */
final class RecoverableMachine extends DefaultSingleRecoverable {
    /** The answer to a command on which the machine threw. */
    static final byte[] FAILED = {(byte) 0xff};

    private static final Logger LOG = LoggerFactory.getLogger(RecoverableMachine.class);

    private final OrderedMachine machine;
    private final CancellableStateManager states = new CancellableStateManager();

    RecoverableMachine(OrderedMachine machine) {
        this.machine = machine;
    }

    CancellableStateManager states() {
        return states;
    }

    @Override
    public StateManager getStateManager() {
        return states;
    }

    @Override
    public byte[] appExecuteOrdered(byte @Nullable [] command, @Nullable MessageContext context) {
        try {
            return machine.apply(command == null ? new byte[0] : command);
        } catch (Throwable bug) {
            LOG.error("the ordered machine threw on a command of {} bytes", command == null ? 0 : command.length, bug);
            return FAILED.clone();
        }
    }

    @Override
    public byte[] appExecuteUnordered(byte @Nullable [] command, @Nullable MessageContext context) {
        return new byte[0];
    }

    @Override
    public byte[] getSnapshot() {
        return machine.snapshot();
    }

    @Override
    public void installSnapshot(byte @Nullable [] snapshot) {
        if (snapshot == null) {
            return;
        }
        try {
            machine.restore(snapshot);
        } catch (IllegalArgumentException malformed) {
            LOG.error("a transferred snapshot of {} bytes was refused", snapshot.length, malformed);
        }
    }
}
