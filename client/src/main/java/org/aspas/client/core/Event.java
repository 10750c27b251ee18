package org.aspas.client.core;

import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.ReadPart;
import org.aspas.crdt.value.Operation;
import org.jspecify.annotations.Nullable;

/** What can happen to a client. */
public sealed interface Event {
    sealed interface Call extends Event {
        CallId call();
    }

    /** The application updates an object. */
    record Update(CallId call, String key, String type, Operation operation) implements Call {}

    /**
     * The application reads an object.
     *
     * @param type the name of the datatype that the application expects
     * @param certified whether the value must come with a proof against a certificate
     * @param part which part of the value is wanted; null for all of it
     */
    record ReadAsked(
            CallId call,
            String key,
            String type,
            boolean certified,
            @Nullable ReadPart part) implements Call {
        /** The application reads all of an object. */
        public ReadAsked(CallId call, String key, String type, boolean certified) {
            this(call, key, type, certified, null);
        }
    }

    /**
     * The application wants a certificate.
     *
     * @param number the certificate's number, or none for the server's newest
     */
    record CertificateAsked(CallId call, CertificateNumber number) implements Call {}

    /** A record is durable, and with it all records before it. */
    record Persisted(Ticket ticket) implements Event {}

    /** A frame came from the server on the present connection. */
    record FrameReceived(Frame frame) implements Event {}

    /**
     * A frame came from a server that the client has no session with, in answer to {@link Effect.ToServer}.
     *
     * @param server whose connection it came on
     */
    record FromServer(int server, Frame frame) implements Event {}

    /** Bytes came that are no frame of the protocol. */
    record FrameRejected(String reason) implements Event {}

    /** A connection to the server stands; its greeting is awaited. */
    record Connected() implements Event {}

    /** The connection is gone. Frames that were sent and not answered may or may not have arrived. */
    record Disconnected(String reason) implements Event {}

    /**
     * The application changes τ.
     *
     * @param tolerance from 1, or 0 for unbounded
     */
    record ToleranceChanged(long tolerance) implements Event {}

    /** The application chooses another server. */
    record ServerChosen(int server) implements Event {}

    /**
     * The application waits no longer for a call. An update that waits for room in the window fails, and never takes effect;
     * whatever else goes on as it was.
     *
     * @param why the failure that the update gets
     */
    record Withdrawn(CallId call, Failure why) implements Event {}

    /**
     * Time has passed.
     *
     * @param nowMillis milliseconds since the core was made, by a clock that does not go back
     */
    record Tick(long nowMillis) implements Event {}

    /**
     * The client ends, and with it everything that is pending.
     *
     * @param why the failure that the pending calls get
     */
    record End(Failure why) implements Event {}
}
