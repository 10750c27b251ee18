package org.aspas.appserver.core.complaint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.CoreSettings;
import org.aspas.appserver.core.CoreStatus;
import org.aspas.appserver.core.Counters;
import org.aspas.appserver.core.Outbox;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.evidence.Questions;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.certify.message.Accused;
import org.aspas.certify.message.AskStanding;
import org.aspas.certify.message.Blacklist;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateContent.Exclusion;
import org.aspas.certify.message.Complain;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.Inspect;
import org.aspas.certify.message.InspectReply;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Refusal.Reason;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Standing;

/**
 * Answers what any admitted client may ask of any appserver without a session, and takes evidence from everywhere. For
 * one thread.
 */
public final class Inquiries {
    private static final int FALSE_COMPLAINTS = 3;
    private static final long REFUSED_MILLIS = 60_000;
    private static final int REMEMBERED_LIARS = 10_000;
    private static final long REPLAYS_PER_SECOND = 5_000;
    /** A client that asks for its standing no more often than this is answered, whoever else asks. */
    private static final long STANDING_MILLIS = 2_000;

    private static final long EVIDENCE_BURST = 100;
    private static final long EVIDENCE_PER_SECOND = 20;

    private static final class Liar {
        int complaints;
        long refusedUntil = Long.MIN_VALUE;
    }

    private final CoreSettings settings;
    private final ObjectStore objects;
    private final Certification certification;
    private final Inspector inspector;
    private final Casebook casebook;
    private final Outbox outbox;
    private final Counters counters;
    private final ClientRates inspections = new ClientRates(20, 10, 20);
    /** How many entries are replayed for inspections, weighed by {@link Inspector#cost}. */
    private final ClientRates replays = new ClientRates(Inspector.MOST_ENTRIES, REPLAYS_PER_SECOND, 1);

    private final ClientRates standings = new ClientRates(20, 5, 200, STANDING_MILLIS);
    private final ClientRates complaints = new ClientRates(10, 1, 50);
    private final LinkedHashMap<ClientId, Liar> liars = new LinkedHashMap<>();
    private final Map<NodeId, TokenBucket> servers = new TreeMap<>();
    private long now;

    /** Nothing asked yet. */
    public Inquiries(
            CoreSettings settings,
            Logs logs,
            ObjectStore objects,
            Certification certification,
            Outbox outbox,
            Counters counters) {
        this.settings = settings;
        this.objects = objects;
        this.certification = certification;
        this.outbox = outbox;
        this.counters = counters;
        this.inspector = new Inspector(logs, objects, certification);
        this.casebook = new Casebook(settings, inspector, outbox, counters);
    }

    /** Whether a message is one of those that this answers. */
    public static boolean answers(Message message) {
        return message instanceof AskStanding || message instanceof Inspect || message instanceof Complain;
    }

    /** Why a client may not work at this server at all, if so. */
    public Optional<Refusal> refused(ClientId client, long reference, boolean nonce) {
        if (casebook.excludes(client)) {
            return Optional.of(
                    new Refusal(reference, nonce, Reason.EXCLUDED, "the client signed two contents under one number"));
        }
        Liar liar = liars.get(client);
        return liar != null && now < liar.refusedUntil
                ? Optional.of(new Refusal(
                        reference, nonce, Reason.FALSE_COMPLAINTS, "the client's complaints were false; try later"))
                : Optional.empty();
    }

    /** Takes a client's signed question. */
    public void client(long connection, Signed<? extends Message> signed) {
        Message message = signed.message();
        if (message instanceof AskStanding ask) {
            if (may(connection, signed, ask.client(), ask.nonce(), standings)) {
                standing(connection, ask);
            }
        } else if (message instanceof Inspect inspect) {
            if (may(connection, signed, inspect.client(), inspect.nonce(), inspections)) {
                inspect(connection, inspect);
            }
        } else if (message instanceof Complain complain
                && may(connection, signed, complain.client(), complain.nonce(), complaints)) {
            complain(connection, complain);
        }
    }

    private boolean may(long connection, Signed<?> signed, ClientId client, long nonce, ClientRates rates) {
        if (!settings.admits().test(client)) {
            return refuse(connection, nonce, Reason.UNKNOWN_CLIENT, "this deployment does not admit the client");
        }
        if (!signed.verify(settings.verifier(), client.key(), Sealer.domainOf(signed.message()))) {
            return refuse(connection, nonce, Reason.BAD_SIGNATURE, "the client's signature is wrong");
        }
        Optional<Refusal> refused = refused(client, nonce, true);
        if (refused.isPresent()) {
            return refuse(
                    connection, nonce, refused.get().reason(), refused.get().detail());
        }
        return rates.take(client, now) || refuse(connection, nonce, Reason.TOO_OFTEN, "wait a second and ask again");
    }

    private boolean refuse(long connection, long nonce, Reason reason, String detail) {
        counters.count("refused_" + reason.name().toLowerCase(Locale.ROOT));
        outbox.client(connection, new Refusal(nonce, true, reason, detail));
        return false;
    }

    private void standing(long connection, AskStanding ask) {
        List<Standing.Held> held = ask.updates().stream()
                .map(named -> new Standing.Held(
                        named.number(),
                        objects.requests()
                                .holding(ask.client(), named.number(), named.identity())
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
                                certification.newest().orElse(null),
                                held)));
    }

    private void inspect(long connection, Inspect inspect) {
        Signed<Response> answer = inspect.response();
        Response response = answer.message();
        Optional<PublicKey> key = settings.key(NodeId.appserver(response.server()));
        Signed<Request> update = inspect.question().update();
        boolean genuine = key.isPresent()
                && answer.verify(settings.verifier(), key.get(), Domain.RESPONSE)
                && Questions.answers(response, inspect.question())
                && (update == null
                        || update.verify(
                                settings.verifier(), update.message().client().key(), Domain.REQUEST));
        if (!genuine) {
            refuse(connection, inspect.nonce(), Reason.MALFORMED, "this is no answer to that question");
            return;
        }
        if (response.server() != settings.index()) {
            inspector.contradiction(answer).ifPresent(this::found);
        }
        if (!replays.take(inspect.client(), inspector.cost(answer), now)) {
            refuse(connection, inspect.nonce(), Reason.TOO_OFTEN, "too much is being recomputed; ask again later");
            return;
        }
        InspectReply.Outcome outcome = inspector.inspect(answer, inspect.question());
        counters.count("inspections_" + outcome.name().toLowerCase(Locale.ROOT));
        outbox.client(
                connection,
                settings.sealer()
                        .seal(new InspectReply(
                                settings.index(),
                                inspect.client(),
                                inspect.nonce(),
                                answer.identity(),
                                inspector.rootsAt(response),
                                outcome)));
    }

    private void complain(long connection, Complain complain) {
        Blacklist.Finding finding = casebook.take(complain.evidence());
        counters.count("complaints_" + finding.name().toLowerCase(Locale.ROOT));
        if (finding == Blacklist.Finding.FALSE) {
            Liar liar = liars.computeIfAbsent(complain.client(), any -> new Liar());
            if (++liar.complaints % FALSE_COMPLAINTS == 0) {
                liar.refusedUntil = now + REFUSED_MILLIS;
            }
            if (liars.size() > REMEMBERED_LIARS) {
                liars.remove(liars.keySet().iterator().next());
            }
        }
        outbox.client(connection, casebook.word(complain.evidence(), finding));
    }

    /** Takes evidence that this server found itself or stored. */
    public void found(Evidence evidence) {
        casebook.take(evidence);
    }

    /** Takes evidence from another server; from one that sends too much of it, nothing for a while. */
    public void evidence(NodeId from, Evidence evidence) {
        TokenBucket bucket =
                servers.computeIfAbsent(from, any -> new TokenBucket(EVIDENCE_BURST, EVIDENCE_PER_SECOND, now));
        Blacklist.Finding finding = bucket.take(now) ? casebook.take(evidence) : Blacklist.Finding.FALSE;
        if (finding == Blacklist.Finding.FALSE) {
            counters.count("refused_evidence");
        } else if (finding == Blacklist.Finding.GUILTY && from.role() == Role.APPSERVER) {
            casebook.answer(from, evidence);
        }
    }

    /** A link to another appserver came up: what it has not answered is sent again soon. */
    public void connected(NodeId peer) {
        casebook.connected(peer);
    }

    /** Takes another appserver's verdict. */
    public void word(NodeId from, Signed<Blacklist> word) {
        casebook.word(from, word);
    }

    /** Takes an adopted certificate; whether its blacklist is longer than before. */
    public boolean adopted(Certificate certificate) {
        return casebook.adopted(certificate);
    }

    /** Sends what is due. */
    public void tick(long nowMillis) {
        now = nowMillis;
        casebook.tick(now);
    }

    /** Who is out: the excluded appservers in order, then the refused clients. */
    public List<CoreStatus.Excluded> blacklist() {
        List<CoreStatus.Excluded> all = new ArrayList<>();
        for (Exclusion one : casebook.excluded()) {
            all.add(new CoreStatus.Excluded(
                    new Accused.Server(one.origin()),
                    one.cut(),
                    casebook.since(one.origin()),
                    one.evidence(),
                    casebook.find(one.evidence())));
        }
        casebook.excludedClients()
                .forEach((client, evidence) -> all.add(
                        new CoreStatus.Excluded(new Accused.Client(client), 0, 0, evidence, casebook.find(evidence))));
        return all;
    }
}
