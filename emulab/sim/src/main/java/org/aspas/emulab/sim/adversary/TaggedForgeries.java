package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;

/** Entries whose tags are right and whose signatures are not: what a server enters with the secrets of a client's session. */
final class TaggedForgeries {
    enum Kind {
        /** Of a colluding client; the tags are right for some servers, drawn once. */
        FOR_SOME,
        /** Of a colluding client; the tags are right for all. */
        FOR_ALL,
        /** Of a correct client at another server, by its stolen secret, which counts in that one's log only. */
        STOLEN,
        /** As {@link #FOR_ALL}: several contents under each number, of which the client signs two others elsewhere. */
        BODYGUARD
    }

    /** Of so many updates first the signatures are right, too: servers derive a secret for the fifth tag. */
    static final int HONEST = 6;

    private static final int MOST_NUMBERS = 20;
    private static final int OTHER_AMOUNTS = 10;
    /** A number is guarded in one of so many calls: for as long as the client gives its own contents. */
    private static final int ROUNDS = 8;
    /** Above those of the sessions that this client opens elsewhere. */
    private static final long FIRST_SESSION = 1_000_000;

    private final AdversaryContext power;
    private final Kind kind;
    private final Colluder client;
    private final Set<Integer> fooled = new TreeSet<>();
    private final boolean garbage;
    private final Map<ClientId, RequestTags> stolen = new HashMap<>();
    private long number;
    private int round;
    private boolean open;

    TaggedForgeries(AdversaryContext power, Kind kind) {
        this.power = power;
        this.kind = kind;
        ClientId everybody = new ClientId(power.collusion().client().publicKey());
        ClientId own = new ClientId(everybody.key(), 1, power.self().index());
        this.client = new Colluder(power, power.collusion().client(), kind == Kind.BODYGUARD ? everybody : own);
        this.garbage = power.chance().happens(0.5);
        int f = power.quorums().f();
        int servers = power.quorums().appservers();
        int count = kind == Kind.FOR_SOME ? power.chance().pick(List.of(1, f, f + 1, 2 * f)) : servers;
        List<Integer> others = IntStream.range(0, servers)
                .filter(server -> server != power.self().index())
                .boxed()
                .toList();
        fooled.addAll(power.chance().shuffled(others).subList(0, Math.min(count, others.size())));
    }

    /** What the log gets next, given what clients said so far. */
    List<Signed<ClientSigned>> next(List<Signed<ClientSigned>> heard) {
        if (kind == Kind.STOLEN) {
            return theft(heard);
        }
        if (!open) {
            open = true;
            return List.of(client.open(
                    FIRST_SESSION + power.self().index(), power.self().index()));
        }
        if (number >= MOST_NUMBERS) {
            return List.of();
        }
        if (kind == Kind.BODYGUARD && number >= HONEST && round++ % ROUNDS != 0) {
            return List.of();
        }
        number++;
        return kind == Kind.BODYGUARD && number > HONEST ? guards() : forgery();
    }

    /** Contents that nobody signed; those of the client itself are others. */
    private List<Signed<ClientSigned>> guards() {
        int guards = power.chance().pick(List.of(1, 3, OTHER_AMOUNTS));
        return IntStream.range(0, guards)
                .mapToObj(i -> Colluder.forged(power, client.update(number, OTHER_AMOUNTS + i)))
                .toList();
    }

    private List<Signed<ClientSigned>> forgery() {
        Signed<ClientSigned> right = client.update(number, 1);
        Signed<ClientSigned> forged = Colluder.forged(power, right);
        return number <= HONEST
                ? List.of(right)
                : power.chance()
                        .pick(List.of(List.of(forged), List.of(forged), List.of(right), List.of(forged, right)));
    }

    /** The next update of a client of another server, as it never signed it; now and then with its session record before it. */
    private List<Signed<ClientSigned>> theft(List<Signed<ClientSigned>> heard) {
        List<Signed<ClientSigned>> made = new ArrayList<>();
        Signed<ClientSigned> session = heard.isEmpty() ? null : power.chance().pick(heard);
        if (session != null && session.message() instanceof OpenSession record && steal(record, session)) {
            if (power.chance().happens(0.3)) {
                made.add(session);
            }
            heard.stream()
                    .map(Signed::message)
                    .filter(said -> said instanceof Request && said.client().equals(record.client()))
                    .map(Request.class::cast)
                    .reduce((first, last) -> last)
                    .map(last ->
                            new Request(last.client(), last.number() + 1, last.key(), last.type(), last.operation()))
                    .ifPresent(next -> made.add(new Signed<>(
                            next, Codec.encode(next), power.chance().bytes(session.signature().length))));
        }
        return made;
    }

    private boolean steal(OpenSession record, Signed<ClientSigned> session) {
        OpenSession.Share share = record.share();
        if (share == null || share.home() == power.self().index()) {
            return false;
        }
        Optional<AgreementKey> key = power.collusion().stolen().apply(share.key());
        key.ifPresent(known -> stolen.put(
                record.client(),
                RequestTags.of(
                        known, power.collusion().servers(), power.sealer().deployment(), session.identity())));
        return key.isPresent();
    }

    /** A batch of the log with its tags for a server. */
    Batch tagged(Batch batch, int server) {
        byte[] all = new byte[batch.entries().size() * TaggedRequest.TAG_BYTES];
        for (int place = 0; place < batch.entries().size(); place++) {
            byte[] tags = Codec.decode(batch.entries().get(place), Entry.class)
                    .accepted()
                    .map(entry -> tags(entry.body(), server))
                    .orElse(new byte[0]);
            int from = server * TaggedRequest.TAG_BYTES;
            if (tags.length >= from + TaggedRequest.TAG_BYTES) {
                int to = place * TaggedRequest.TAG_BYTES;
                System.arraycopy(tags, from, all, to, TaggedRequest.TAG_BYTES);
            }
        }
        return batch.tagged(all);
    }

    private byte[] tags(Signed<ClientSigned> body, int server) {
        if (!(body.message() instanceof Request request)) {
            return new byte[0];
        }
        RequestTags known = stolen.get(request.client());
        if (known != null) {
            return known.of(body);
        }
        byte[] right = request.client().equals(client.self()) ? client.tags(body) : new byte[0];
        if (fooled.contains(server)) {
            return right;
        }
        return garbage ? power.chance().bytes(right.length) : new byte[0];
    }
}
