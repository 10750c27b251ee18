package org.aspas.emulab.lab.attack;

import java.util.List;
import org.aspas.appserver.core.port.AppServerMachine;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.port.Event;
import org.aspas.appserver.core.port.ObjectQueries;

/**
 * A machine that stands still while its gate is shut, with its sockets open, as a process does that is stopped. For the thread
 * that drives it, which waits at the gate.
 */
record GatedMachine(AppServerMachine machine, Gate gate) implements AppServerMachine {
    /** Shut or open. Thread-safe. */
    static final class Gate {
        private volatile boolean shut;

        boolean isShut() {
            return shut;
        }

        void shut() {
            shut = true;
        }

        synchronized void open() {
            shut = false;
            notifyAll();
        }

        private void pass() {
            if (shut) {
                await();
            }
        }

        private synchronized void await() {
            boolean interrupted = false;
            while (shut) {
                try {
                    wait();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public List<Effect> step(Event event) {
        gate.pass();
        return machine.step(event);
    }

    @Override
    public CoreStatus status() {
        return machine.status();
    }

    @Override
    public ObjectQueries objects() {
        return machine.objects();
    }
}
