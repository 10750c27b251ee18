package org.aspas.emulab.sim.invariant;

import java.util.List;
import java.util.Set;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.certify.replica.Command;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;
import org.aspas.client.core.Failure;

/**
 * Something that happens in a run and that a guarantee may be about. A {@code server}, a {@code replica} and a {@code client} are the index of an
 * appserver, of a bftserver and of a correct client. Where nothing else is said an appserver is correct, and a bftserver may lie.
 */
public sealed interface Fact {
    // ---- Appservers ----

    /** It adopted a certificate, or has it again after a restart. */
    record Adopted(int server, Certificate certificate) implements Fact {}

    /** It has started from its disk, with this status. */
    record Started(int server, CoreStatus status) implements Fact {}

    /** It lost all that was not on its disk yet. */
    record Crashed(int server) implements Fact {}

    /** It showed others heads that it accepted. */
    record HeadsSent(int server, List<Signed<Head>> heads) implements Fact {}

    /** Another appserver gave it these heads. */
    record HeadsReceived(int server, List<Signed<Head>> heads) implements Fact {}

    /** It sent a head of its own log. */
    record OwnHeadSent(int server, Head head) implements Fact {}

    /** It no longer keeps so many of the first entries of an origin, nor the heads over them. */
    record EntriesPruned(int server, int origin, long entries) implements Fact {}

    /** It keeps so many bytes of an origin's entries that wait for others, of at most {@code most}. */
    record EntriesPending(int server, int origin, long bytes, long most) implements Fact {}

    /** Its disk has all that it was given, and so many updates that it took are still not answered. */
    record Durable(int server, int unanswered) implements Fact {}

    /** It answered a request. */
    record Responded(int server, Signed<Response> response) implements Fact {}

    /** It refused something to a correct client. */
    record Refused(int server, int client, Refusal refusal) implements Fact {}

    /** It told somebody what it found when it recomputed an answer. */
    record Inspected(int server, InspectReply reply) implements Fact {}

    /** It told a client whose complaints are all false by their signatures alone what it found. */
    record FalseComplaint(int server, Blacklist.Finding finding) implements Fact {}

    /** It refused a client whose complaints are all false by their signatures alone, because of them. */
    record SlandererRefused(int server) implements Fact {}

    /** It refuses these clients for good; told while the run is to come to rest. */
    record ClientsBanned(int server, Set<String> clients) implements Fact {}

    record Alarmed(int server, Alarm alarm) implements Fact {}

    /** A proof that it said it has is on its disk. */
    record ProofStored(int server, Alarm.ProvedFaulty proof) implements Fact {}

    /** A Byzantine appserver did something that a correct one would not do, for the first time. */
    record Misbehaved(int server) implements Fact {}

    // ---- Bftservers ----

    /** It sent a share with a valid signature. */
    record ShareSent(Share share) implements Fact {}

    /** It submitted a command of an appserver to the order, at this virtual time in microseconds. */
    record Relayed(int replica, int server, Command command, long micros) implements Fact {}

    record Ordered(int replica, Command command) implements Fact {}

    /** It crashed, and its machine forgot everything. */
    record ReplicaCrashed(int replica) implements Fact {}

    record Convicted(int replica, int server) implements Fact {}

    /** It says that the order is broken, because it was shown what takes more than b liars. */
    record OrderBroken(int replica) implements Fact {}

    // ---- Updates and reads of correct clients ----

    /** The application gave its client an update. */
    record Submitted(ClientUpdate update) implements Fact {}

    /** The client signed an update under a number; from now on it may take effect. */
    record Entered(ClientUpdate update, RequestName name) implements Fact {}

    /** The client sends a request to its server, for the first time or again; {@code durable}: its disk holds it. */
    record RequestSent(int client, Request request, boolean durable) implements Fact {}

    /** The client told its application of an answer. */
    record Answered(ClientUpdate update, RequestName name, Effect.Answered effect) implements Fact {}

    /** The client told its application of a confirmation. */
    record Confirmed(ClientUpdate update, RequestName name, Effect.Confirmed effect) implements Fact {}

    /** The client was told the confirmation of an update that its record has from another client with its key. */
    record OthersConfirmed(int client, RequestName name) implements Fact {}

    /** The client told its application that a confirmed update has no effect. */
    record WithoutEffect(int client, ClientEvent.WithoutEffect event) implements Fact {}

    /** The client told its application that an update may take effect although something went wrong: it is still open. */
    record MayTakeEffect(ClientUpdate update, Failure why) implements Fact {}

    /** The client told its application that an update failed and never takes effect, which ends it. */
    record UpdateFailed(ClientUpdate update, Failure why) implements Fact {}

    /** The client crashed before it had signed an update, which is forgotten. */
    record UpdateForgotten(ClientUpdate update) implements Fact {}

    /** The client came back on a record without an update that it had signed, and follows it no more. */
    record SignedUpdateForgotten(ClientUpdate update, RequestName name) implements Fact {}

    record ReadAsked(int client, Event.ReadAsked asked) implements Fact {}

    /** The client told its application the verified value of a read. */
    record ReadDone(int client, Event.ReadAsked asked, Effect.ReadDone done) implements Fact {}

    /** An update or a read failed, or an update may take effect although something went wrong. */
    record Failed(int client, Failure failure) implements Fact {}

    // ---- Correct clients ----

    /** The application sets τ: from 1, or 0 for unbounded. Told before the client is. */
    record ToleranceSet(int client, long tolerance) implements Fact {}

    record SessionRecordSent(int client, OpenSession record) implements Fact {}

    /** It has done all that followed from one event. */
    record StepDone(int client) implements Fact {}

    /** It holds an appserver for convicted. */
    record Blamed(int client, int server) implements Fact {}

    /** It brings evidence to an appserver, for the first time or again. */
    record Complained(int client, Evidence evidence) implements Fact {}

    /** A check of what an appserver sent it, or of what others say of that server's answers, fails. */
    record NotVerified(int client, int server, Failure.NotVerified finding) implements Fact {}

    /** It came back on another record than the one that it had written; this one holds these updates. */
    record RecordReplaced(int client, Set<RequestName> held) implements Fact {}

    /** It stopped; what its application had asked and it had not numbered is forgotten. */
    record ClientStopped(int client) implements Fact {}

    /** It ended against its will. */
    record ClientEnded(int client, Failure why) implements Fact {}

    // ---- The run ----

    /** All has come to rest, and is looked at a little later; what happens in between need not have shown its effects by then. */
    record AtRest() implements Fact {}

    /**
     * The run is over.
     *
     * @param unsettled what was still open when patience ended; empty when all came to rest
     * @param unanswered the questions that a correct appserver left without an answer, one sentence each
     */
    record Ended(List<String> unsettled, List<FinalRead> reads, List<String> unanswered) implements Fact {
        public Ended {
            unsettled = List.copyOf(unsettled);
            reads = List.copyOf(reads);
            unanswered = List.copyOf(unanswered);
        }
    }
}
