package org.aspas.certify.replica;

import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Kind;

/** What the shell must do for a bftserver, in the order given. Sending is best effort; persisting is not. */
public sealed interface Effect {
    /** Submit this bftserver's own command to the order. */
    record Submit(byte[] command) implements Effect {}

    /**
     * Submit a command of an appserver to the order.
     *
     * @param from the appserver that signed it
     */
    record Relay(NodeId from, Command command) implements Effect {}

    record ToAppserver(NodeId to, byte[] frame) implements Effect {}

    record ToAppservers(byte[] frame) implements Effect {}

    /**
     * Append an item to the durable record and report {@link Event.Persisted} when it is durable, or {@link
     * Event.RecordFailed} when it may not be. Items may be written in groups; reporting only the last ticket of a group is
     * enough.
     *
     * @param item to be given back in the same order to the core of the next process
     */
    record Persist(Ticket ticket, RecordItem item) implements Effect {}

    /** Tell the operator that an appserver is convicted. */
    record TellConviction(int server, Kind evidence) implements Effect {}

    /**
     * Tell the operator that certification has stopped, because more appservers are convicted than the deployment
     * tolerates.
     *
     * @param convicted all who are convicted, in order
     */
    record TellStop(List<Integer> convicted) implements Effect {
        public TellStop {
            convicted = List.copyOf(convicted);
        }
    }

    /**
     * Tell the operator, once, that this bftserver was asked to accept or sign another content under a number that it has
     * signed, and refused: the order is broken, or more than b bftservers lie. The certificates can still be trusted.
     */
    record TellBrokenOrder() implements Effect {}
}
