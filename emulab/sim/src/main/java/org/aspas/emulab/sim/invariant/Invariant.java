package org.aspas.emulab.sim.invariant;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.certify.replica.Command;
import org.aspas.certify.wire.Blacklist.Finding;
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

/** One guarantee. It is told of what happens, in order; every method does nothing unless a guarantee needs it. */
public abstract class Invariant {
    private final String name;
    private Consumer<String> complaints = text -> {};

    protected Invariant(String name) {
        this.name = name;
    }

    /** The guarantee's name, such as G1. */
    public final String name() {
        return name;
    }

    final void complainTo(Consumer<String> taker) {
        complaints = taker;
    }

    protected final void violated(String text) {
        complaints.accept(text);
    }

    /** A correct appserver adopted a certificate, or has it again after a restart. */
    public void onAdopted(int server, Certificate certificate) {}

    /** A correct appserver has taken up where its disk ends, and is this. */
    public void onStarted(int server, CoreStatus status) {}

    /** A bftserver, correct or not, sent a share that is rightly signed. */
    public void onShare(Share share) {}

    /** A correct appserver showed others heads that it accepted. */
    public void onHeadsShown(int server, List<Signed<Head>> heads) {}

    /** A correct appserver was given heads by another one. */
    public void onHeadsTaken(int server, List<Signed<Head>> heads) {}

    /** A correct appserver keeps so many of the first entries of an origin no longer, nor the heads over them. */
    public void onForgotten(int server, int origin, long entries) {}

    /** A correct appserver crashed: what it had not on disk it does not know any more. */
    public void onCrashed(int server) {}

    /** A bftserver's core submitted a command of an appserver, at this moment in microseconds. */
    public void onRelayed(int replica, int server, Command command, long micros) {}

    public void onOrdered(int replica, Command command) {}

    /** A bftserver crashed; its machine forgot everything. */
    public void onReplicaCrashed(int replica) {}

    /** A correct appserver refuses these clients for good; told when the run is to come to rest. */
    public void onBanned(int server, Set<String> clients) {}

    /** A Byzantine appserver did something that a correct one would not do, for the first time. */
    public void onMisdeed(int server) {}

    /** What has to happen yet before the run may end, one sentence each. */
    public List<String> waiting() {
        return List.of();
    }

    public void onConvicted(int replica, int server) {}

    /** A bftserver, correct or not, says that the order is broken: it was shown what takes more than b liars. */
    public void onOrderBroken(int replica) {}

    /** A correct client holds an appserver for convicted. */
    public void onBlamed(int client, int server) {}

    /** A correct client brings evidence to an appserver: for the first time, or again. */
    public void onComplaint(int client, Evidence evidence) {}

    /** A correct client found that a check of what an appserver sent it, or others say of its answers, fails. */
    public void onNotVerified(int client, int server, Failure.NotVerified finding) {}

    /** A correct appserver sent a head of its own. */
    public void onHead(int server, Head head) {}

    /** A correct appserver answered. */
    public void onResponse(int server, Signed<Response> response) {}

    /** A correct appserver told somebody what it found when it recomputed an answer. */
    public void onInspected(int server, InspectReply reply) {}

    /** A correct appserver told a client, whose complaints are all false by their signatures alone, what it found. */
    public void onFalseComplaint(int server, Finding finding) {}

    /** A correct appserver refused a client, whose complaints are all false by their signatures alone, for them. */
    public void onSlandererRefused(int server) {}

    /** A correct appserver refused something to a correct client. */
    public void onRefusal(int server, int client, Refusal refusal) {}

    /** A correct appserver has all on disk that it was given, and so many updates it took are still not answered. */
    public void onDurable(int server, int unanswered) {}

    /** A proof of which a correct appserver said that it has it is on its disk. */
    public void onProofStored(int server, Alarm.ProvedFaulty proof) {}

    /** A correct appserver keeps so many bytes of an origin's entries that wait for others, and may keep that many. */
    public void onPending(int server, int origin, long bytes, long most) {}

    /** A correct appserver alarmed. */
    public void onAlarm(int server, Alarm alarm) {}

    /** A correct client was given an update by its application. */
    public void onSubmitted(ClientUpdate update) {}

    /** A correct client signed an update under a number; from now on it may take effect. */
    public void onEntered(ClientUpdate update, RequestName name) {}

    /** A correct client sends a request to its server, for the first time or again; {@code durable}: its disk holds it. */
    public void onSent(int client, Request request, boolean durable) {}

    /** A correct client sends a session record to its server; {@code durable}: its disk holds the number. */
    public void onSessionRecord(int client, OpenSession record) {}

    /** The application of a correct client sets τ: from 1, or 0 for unbounded. Told before the client is. */
    public void onTolerance(int client, long tolerance) {}

    /** A correct client has done all that followed from one event. */
    public void onClientStep(int client) {}

    /** A correct client told its application of an answer. */
    public void onAnswered(ClientUpdate update, Effect.Answered answered) {}

    /** A correct client told its application of a confirmation. */
    public void onConfirmed(ClientUpdate update, Effect.Confirmed confirmed) {}

    /** A correct client was asked for a value by its application. */
    public void onReadAsked(int client, Event.ReadAsked asked) {}

    /** A correct client told its application the verified value of a read. */
    public void onReadDone(int client, Event.ReadAsked asked, Effect.ReadDone done) {}

    /** A correct client told its application that an update may take effect although something went wrong: no end of it. */
    public void onMayTakeEffect(ClientUpdate update, Failure why) {}

    /** A correct client told its application that an update failed and never takes effect: one of its ends. */
    public void onReported(ClientUpdate update, Failure why) {}

    /** A correct client crashed before it had signed an update, and has forgotten it as its application has. */
    public void onForgotten(ClientUpdate update) {}

    /** A correct client came back on another record than the one that it had written, which holds these updates. */
    public void onRecordReplaced(int client, Set<RequestName> held) {}

    /** A correct client came back on a record without an update that it had signed, and follows it no more. */
    public void onRecordForgotten(ClientUpdate update, RequestName name) {}

    /** A correct client was told the confirmation of an update that its record has from another client with its key. */
    public void onAnothersConfirmed(int client, RequestName name) {}

    /** A correct client told its application that a confirmed update has no effect. */
    public void onWithoutEffect(int client, ClientEvent.WithoutEffect event) {}

    /** An update or read of a correct client failed, or an update may take effect although something went wrong. */
    public void onFailed(int client, Failure failure) {}

    /** A correct client ended against its will. */
    public void onEnded(int client, Failure why) {}

    /** A correct client stopped and began again; what its application had asked and it had not numbered is forgotten. */
    public void onRestarted(int client) {}

    /** All has come to rest, and is looked at a little later. What happens in between need not be seen yet. */
    public void onRest() {}

    public void onEnd(Ending ending) {}
}
