package org.aspas.emulab.sim.node;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.aspas.client.core.port.Effect;
import org.aspas.client.core.port.Event;
import org.aspas.emulab.sim.network.Wire;
import org.aspas.emulab.sim.processor.Costs;
import org.aspas.emulab.sim.processor.Machine;
import org.aspas.emulab.sim.processor.Processors;
import org.aspas.emulab.sim.processor.StepKind;

/** The mailbox of a client on the machine that it shares with others. */
final class ClientThread {
    private final Processors processors;
    private final Costs costs;
    private final Machine.Lane mailbox;

    ClientThread(Processors processors, int client) {
        this.processors = processors;
        this.costs = processors.costs();
        this.mailbox = processors.ofClient(client).lane();
    }

    /**
     * The client's core is to take an event.
     *
     * @param bytes the length of the frame that came, or 0
     * @param outlet carries out what follows, when the time for it is over
     */
    void happened(Event event, int bytes, Supplier<List<Effect>> step, Consumer<List<Effect>> outlet) {
        mailbox.add(() -> {
            String kind = StepKind.of(event);
            String label = event instanceof Event.FrameReceived received ? StepKind.name(received.frame()) : "";
            long before = processors.signatures().nanos();
            processors.meter().begin();
            List<Effect> effects = step.get();
            processors.meter().end(kind, bytes);
            long nanos = processors.step(kind, bytes) + processors.signatures().nanos() - before;
            if (bytes > 0) {
                nanos += processors.frame(costs.clientReceive(), label, bytes)
                        + processors.frame(costs.decode(), label, bytes);
            }
            for (Effect effect : effects) {
                nanos += sending(effect);
            }
            return new Machine.Done(nanos, () -> outlet.accept(effects));
        });
    }

    private long sending(Effect effect) {
        if (!(effect instanceof Effect.Send send)) {
            return 0;
        }
        Wire wire = Wire.of(send.frame());
        int bytes = wire.bytes().length;
        String label = StepKind.name(send.frame());
        return processors.frame(costs.encode(), label, bytes) + processors.frame(costs.clientSend(), label, bytes);
    }
}
