package org.aspas.client.core;

import org.aspas.certify.identity.ClientId;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** What the shell has to do, in the order given. */
public sealed interface Effect {
    /**
     * Put this record in place of the last one, and report when it is durable: {@link Event.Persisted}. What rests on it
     * comes after that report. Only a client with a durable record gets it.
     *
     * @param record the whole of it
     */
    record Persist(Ticket ticket, ClientState record) implements Effect {}

    /** Send one frame on the present connection. */
    record Send(Frame frame) implements Effect {}

    /**
     * Send one frame to an appserver that the client has no session with, on a connection of its own that the shell makes
     * and closes as it likes. Nothing is lost when it does not arrive: the core asks again.
     */
    record ToServer(int server, Frame frame) implements Effect {}

    /** Drop the present connection, of which nothing more is to be heard, and connect to this server. */
    record TurnTo(int server) implements Effect {}

    /** Tell the application what became of its updates or of a server. */
    record Happened(ClientEvent event) implements Effect {}

    /**
     * An update has its number and is signed: from now on it may take effect. With a durable record it is in
     * it already.
     *
     * @param client the client that numbered it: this one, or an earlier one with the key
     * @param number its request number, under which it is given to servers until it is confirmed
     */
    record Entered(CallId call, ClientId client, long number) implements Effect {}

    /** Drop the present connection and make a new one to the same server. */
    record Reconnect(String reason) implements Effect {}

    /**
     * An update has its verified answer. With τ = 1 this comes only together with the confirmation.
     *
     * @param call the update, or {@link CallId#NONE}
     * @param client the client that numbered it: this one, or an earlier one with the key
     */
    record Answered(CallId call, ClientId client, long number, Dot dot, Signed<Response> response) implements Effect {}

    /**
     * An update is covered by a verified certificate, with the proof of its own leaf. It may come after {@link
     * MayTakeEffect}.
     *
     * @param call the update, or {@link CallId#NONE}
     * @param client the client that numbered it: this one, or an earlier one with the key
     * @param dot the place of an entry of it: after a switch not always the one in the answer
     * @param proof the inclusion of the update's leaf under the certificate's root of its origin
     */
    record Confirmed(CallId call, ClientId client, long number, Dot dot, Certificate certificate, InclusionProof proof)
            implements Effect {}

    /**
     * A read has its verified value.
     *
     * @param certificateNumber the number of the certificate the value is proved against, or for a local read the newest
     *     that the server names
     * @param certificate the certificate that the value is proved against; null for a local read
     * @param elements what is proved of the elements of an object that has elements; null for a local read
     * @param proof what proves the value to others; null for a local read
     */
    record ReadDone(
            CallId call,
            Value value,
            VersionVector version,
            CertificateNumber certificateNumber,
            @Nullable Certificate certificate,
            @Nullable ElementsRead elements,
            @Nullable ReadProof proof)
            implements Effect {
        /** The end of a local read, of which nothing is proved. */
        public static ReadDone local(CallId call, Response response) {
            return new ReadDone(call, response.result(), response.version(), response.certificate(), null, null, null);
        }
    }

    /** The answer to a question for a certificate; null when the server does not hold it. */
    record CertificateFound(CallId call, @Nullable Certificate certificate) implements Effect {}

    /** A call failed. Nothing of it was signed: if it is an update, it never takes effect. */
    record Failed(CallId call, Failure failure) implements Effect {}

    /**
     * An update did not go well, and may take effect all the same: f+1 servers refused it, or, at a client that stays with
     * its server, that one refused it or sent what is wrong; or the client ends. This is no end of it. The client keeps its
     * number and gives the same bytes again until {@link Confirmed} ends it, unless {@link Ended} comes first.
     *
     * @param call the update, or {@link CallId#NONE}
     * @param client the client that numbered it: this one, or an earlier one with the key
     */
    record MayTakeEffect(CallId call, ClientId client, long number, Failure why) implements Effect {}

    record Noticed(Notice notice) implements Effect {}

    /** The client has ended for the reason given; nothing follows, whatever happens. */
    record Ended(Failure why) implements Effect {}
}
