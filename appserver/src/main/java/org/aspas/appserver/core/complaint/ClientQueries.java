package org.aspas.appserver.core.complaint;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.log.LateLeaves;
import org.aspas.appserver.core.log.MissingLeaves;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.CoreTime;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.evidence.Questions;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.ClientQuestion;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.certify.wire.WrongAnswer;

/** Answers what any admitted client may ask of any appserver without a session. For one thread. */
public final class ClientQueries extends CorePart {
    private static final long REPLAYS_PER_SECOND = 5_000;
    /** A client that asks for its standing no more often than this is answered, whoever else asks. */
    private static final long STANDING_MILLIS = 2_000;
    /** So many updates in a question for a standing cost as much as the standing itself. */
    private static final int NAMES = 256;

    private final ObjectStore objects;
    private final CertifiedHistory history;
    private final Inspector inspector;
    private final EvidencePool evidence;
    private final LateLeaves leaves;
    private final ClientRates inspections = new ClientRates(20, 10, 20);
    /** How many entries are replayed for inspections, weighed by {@link Inspector.Examined#cost}. */
    private final ClientRates replays = new ClientRates(Inspector.MOST_ENTRIES, REPLAYS_PER_SECOND, 1);

    /** How many standings are given, weighed by the updates that they name. */
    private final ClientRates standings = new ClientRates(20, 5, 200, STANDING_MILLIS);

    private final ClientRates complaints = new ClientRates(10, 1, 50);
    private final FalseComplaints falseComplaints;

    public ClientQueries(
            CoreState context,
            ObjectStore objects,
            CertifiedHistory history,
            Inspector inspector,
            EvidencePool evidence,
            LateLeaves leaves) {
        super(context);
        this.objects = objects;
        this.history = history;
        this.inspector = inspector;
        this.evidence = evidence;
        this.leaves = leaves;
        this.falseComplaints = new FalseComplaints(context.time());
    }

    /** Why a client may not work at this server at all, if so; in answer to this message of it. */
    public Optional<Refusal> refused(ClientId client, Message message) {
        if (evidence.refuses(client)) {
            return refusal(message, Reason.EXCLUDED, "the client signed two contents under one number");
        }
        return falseComplaints.refuses(client)
                ? refusal(message, Reason.FALSE_COMPLAINTS, "the client's complaints were false; try later")
                : Optional.empty();
    }

    /** Answers an admitted client's question, unless it is refused. */
    public Optional<Refusal> ask(ConnectionId connection, ClientQuestion question) {
        Optional<Refusal> refused = refused(question.client(), question);
        if (refused.isPresent()) {
            return refused;
        }
        if (!rates(question).take(question.client(), weight(question), time.now())) {
            return refusal(question, Reason.TOO_OFTEN, "wait a second and ask again");
        }
        if (question instanceof Inspect inspect) {
            return inspect(connection, inspect);
        }
        if (question instanceof AskStanding ask) {
            ask(connection, ask);
        } else if (question instanceof Complain complain) {
            MissingLeaves needs = complain.evidence() instanceof WrongAnswer wrong
                    ? leaves.needs(wrong.response().message())
                    : leaves.needs();
            leaves.with(complain.client(), needs, () -> complain(connection, complain));
        }
        return Optional.empty();
    }

    private static Optional<Refusal> refusal(Message message, Reason reason, String detail) {
        return Optional.of(ClientAdmission.refusal(message, reason, detail));
    }

    private static long weight(ClientQuestion question) {
        return question instanceof AskStanding ask ? 1 + ask.updates().size() / NAMES : 1;
    }

    private ClientRates rates(ClientQuestion question) {
        if (question instanceof AskStanding) {
            return standings;
        }
        return question instanceof Inspect ? inspections : complaints;
    }

    private void ask(ConnectionId connection, AskStanding ask) {
        MissingLeaves needs = leaves.needs();
        ask.updates()
                .forEach(named -> objects.requests()
                        .holding(ask.client(), named.number(), named.identity())
                        .ifPresent(needs::place));
        leaves.with(ask.client(), needs, () -> standing(connection, ask));
    }

    private void standing(ConnectionId connection, AskStanding ask) {
        List<Standing.Held> held = ask.updates().stream()
                .map(named -> new Standing.Held(
                        named.number(),
                        objects.requests()
                                .holding(ask.client(), named.number(), named.identity())
                                .filter(inspector::provable)
                                .orElse(null)))
                .toList();
        counters.count("standings");
        outbox.client(
                connection,
                settings.sealer()
                        .seal(new Standing(
                                settings.index(),
                                ask.client(),
                                ask.nonce(),
                                history.newest().orElse(null),
                                held)));
    }

    private Optional<Refusal> inspect(ConnectionId connection, Inspect inspect) {
        Signed<Response> answer = inspect.response();
        if (!genuine(inspect)) {
            return refusal(inspect, Reason.MALFORMED, "this is no answer to that question");
        }
        leaves.with(
                inspect.client(),
                leaves.needs(answer.message()),
                () -> compare(connection, inspect).ifPresent(late -> refuse(connection, late)));
        return Optional.empty();
    }

    private Optional<Refusal> compare(ConnectionId connection, Inspect inspect) {
        Signed<Response> answer = inspect.response();
        if (answer.message().server() != settings.index()) {
            inspector.contradiction(answer).ifPresent(evidence::take);
        }
        Inspector.Examined examined = inspector.examine(answer, inspect.question());
        if (!replays.take(inspect.client(), examined.cost(), time.now())) {
            return refusal(inspect, Reason.TOO_OFTEN, "too much is being recomputed; ask again later");
        }
        InspectReply.Outcome outcome = inspector.outcome(examined);
        if (examined.plain() == null) {
            counters.count(examined.own() == null ? "inspections_from_all" : "inspections_from_own");
        }
        counters.count("inspections_" + outcome.name().toLowerCase(Locale.ROOT));
        outbox.client(
                connection,
                settings.sealer()
                        .seal(new InspectReply(
                                settings.index(),
                                inspect.client(),
                                inspect.nonce(),
                                answer.identity(),
                                examined.roots(),
                                outcome)));
        return Optional.empty();
    }

    /** Whether a server signed the answer, and it is one to the question. */
    private boolean genuine(Inspect inspect) {
        Signed<Response> answer = inspect.response();
        Signed<Request> update = inspect.question().update();
        return settings.signedBy(NodeId.appserver(answer.message().server()), answer, Domain.RESPONSE)
                && Questions.answers(answer.message(), inspect.question())
                && (update == null
                        || inspector.entered(answer.message())
                        || update.verify(
                                settings.verifier(), update.message().client().key(), Domain.REQUEST));
    }

    private void complain(ConnectionId connection, Complain complain) {
        Blacklist.Finding finding = evidence.take(complain.evidence());
        counters.count("complaints_" + finding.name().toLowerCase(Locale.ROOT));
        if (finding == Blacklist.Finding.FALSE) {
            falseComplaints.count(complain.client());
        }
        outbox.client(connection, evidence.word(complain.evidence(), finding));
    }

    /** Refuses for a while the clients whose complaints were false. For one thread. */
    private static final class FalseComplaints {
        private static final int TOLERATED = 3;
        private static final long REFUSED_MILLIS = 60_000;
        private static final int REMEMBERED_CLIENTS = 10_000;

        private static final class Complainant {
            int complaints;
            long refusedUntil = Long.MIN_VALUE;
        }

        private final CoreTime time;
        private final BoundedMap<PublicKey, Complainant> complainants = new BoundedMap<>(REMEMBERED_CLIENTS);

        FalseComplaints(CoreTime time) {
            this.time = time;
        }

        void count(ClientId client) {
            Complainant one = complainants.computeIfAbsent(client.key(), any -> new Complainant());
            if (++one.complaints % TOLERATED == 0) {
                one.refusedUntil = time.now() + REFUSED_MILLIS;
            }
        }

        boolean refuses(ClientId client) {
            Complainant one = complainants.get(client.key());
            return one != null && time.now() < one.refusedUntil;
        }
    }
}
