package org.aspas.certify.tag;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of clients that one appserver knows, as far as tags go (docs/tags.md). The core tells it of session records that it accepted;
 * whoever holds an entry with a tag asks whether that convinces. It is about speed alone: what is forgotten here, or comes before its
 * session record, is verified by its signature. Thread-safe.
 */
public final class SessionTags {
    /**
     * What is known at most.
     *
     * @param clients of so many clients who had a right tag the newest session is known, and of as many who had none yet; for one more, that goes which
     *     was asked for longest ago, or of the others came first
     * @param lifeMillis how long a session's tags count after its record was accepted here
     * @param worthwhile for which tag of a session its secret is derived
     */
    public record Bounds(int clients, long lifeMillis, int worthwhile) {
        /**
         * Clients make new keys hourly. A secret is derived for the fifth tag: for fewer, signatures cost less, also where clients open
         * sessions for nothing else.
         */
        public static final Bounds USUAL = new Bounds(16_384, 7_200_000, 5);
    }

    private final Hash deployment;
    private final int server;
    private final @Nullable AgreementKey key;
    private final LongSupplier millis;
    private final BooleanSupplier doubt;
    private final Bounds bounds;
    /** Of clients who had a right tag. */
    private final Map<ClientId, Session> proven;
    /** Of clients who had none: whoever only opens sessions puts out none of those others. */
    private final Map<ClientId, Session> fresh;

    private final LongAdder right = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder absent = new LongAdder();

    /**
     * Starts without sessions.
     *
     * @param key its agreement key; null where the deployment has none: then no tag convinces
     * @param millis a clock that never goes back
     * @param doubt drawn for each right tag: true makes the signature be verified all the same, and nobody else can know of which entry
     */
    public SessionTags(
            Hash deployment, int server, @Nullable AgreementKey key, LongSupplier millis, BooleanSupplier doubt) {
        this(deployment, server, key, millis, doubt, Bounds.USUAL);
    }

    public SessionTags(
            Hash deployment,
            int server,
            @Nullable AgreementKey key,
            LongSupplier millis,
            BooleanSupplier doubt,
            Bounds bounds) {
        this.deployment = deployment;
        this.server = server;
        this.key = key;
        this.millis = millis;
        this.doubt = doubt;
        this.bounds = bounds;
        this.proven = new Bounded(bounds.clients(), true);
        this.fresh = new Bounded(bounds.clients(), false);
    }

    /** Where there are no tags. */
    public static SessionTags none(Hash deployment, int server) {
        return new SessionTags(deployment, server, null, () -> 0, () -> false);
    }

    /** Forgets all sessions, as a server does that starts. */
    public void forget() {
        synchronized (proven) {
            proven.clear();
            fresh.clear();
        }
    }

    /** Whether the deployment has tags. */
    public boolean enabled() {
        return key != null;
    }

    /**
     * An entry was accepted, by its signature or with a certificate. Of session records of one client the one with the highest number rules, and
     * of one number the first. Without a share, or in another log than its home's, it ends the tags of those before it.
     *
     * @param origin whose log the entry is in
     */
    public void accepted(int origin, Signed<? extends ClientSigned> signed) {
        if (key != null && signed.message() instanceof OpenSession record) {
            OpenSession.Share share = record.share();
            boolean here = share != null && share.home() == origin;
            Session next = new Session(record.number(), here ? share : null, signed.identity(), millis.getAsLong());
            synchronized (proven) {
                Map<ClientId, Session> among = proven.containsKey(record.client()) ? proven : fresh;
                Session known = among.get(record.client());
                if (known == null || known.number < next.number) {
                    among.put(record.client(), next);
                }
            }
        }
    }

    /**
     * Whether the tag of an entry convinces this server that its client signed the request.
     *
     * @param origin whose log the entry is in
     * @param tags tags of {@link org.aspas.certify.wire.TaggedRequest#TAG_BYTES} bytes
     * @param place the place of the entry's among them, from 0
     */
    public boolean convinces(int origin, Signed<? extends ClientSigned> signed, byte[] tags, int place) {
        int from = place * TagKey.LENGTH;
        if (key == null || tags.length < from + TagKey.LENGTH || TagKey.absent(tags, from)) {
            absent.increment();
            return false;
        }
        ClientId client = signed.message().client();
        Session session = find(client);
        TagKey secret = session == null ? null : session.secret(key, origin);
        if (secret == null) {
            unknown.increment();
            return false;
        }
        if (!secret.fits(signed, tags, from)) {
            wrong.increment();
            return false;
        }
        right.increment();
        prove(client);
        return !doubt.getAsBoolean();
    }

    private @Nullable Session find(ClientId client) {
        synchronized (proven) {
            Session known = proven.get(client);
            return known == null ? fresh.get(client) : known;
        }
    }

    private void prove(ClientId client) {
        synchronized (proven) {
            Session known = fresh.remove(client);
            if (known != null) {
                proven.put(client, known);
            }
        }
    }

    /** How many tags were right. */
    public long right() {
        return right.sum();
    }

    /** How many tags were wrong, so that a signature was verified for nothing else. */
    public long wrong() {
        return wrong.sum();
    }

    /** How many tags came for which there is no secret (yet). */
    public long unknown() {
        return unknown.sum();
    }

    /** How many requests came without a tag. */
    public long absent() {
        return absent.sum();
    }

    /** For one too many the eldest goes, by its last use or by when it came. */
    private static final class Bounded extends LinkedHashMap<ClientId, Session> {
        private static final long serialVersionUID = 1L;
        private static final float FULL = 0.75f;

        private final int most;

        Bounded(int most, boolean byUse) {
            super(16, FULL, byUse);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<ClientId, Session> eldest) {
            return size() > most;
        }
    }

    /** One session; without a share it only outranks those before it. */
    private final class Session {
        private final long number;
        private final OpenSession.@Nullable Share share;
        private final Hash name;
        private final long since;
        private int asked;
        private Optional<TagKey> secret = Optional.empty();

        Session(long number, OpenSession.@Nullable Share share, Hash name, long since) {
            this.number = number;
            this.share = share;
            this.name = name;
            this.since = since;
        }

        synchronized @Nullable TagKey secret(AgreementKey own, int origin) {
            OpenSession.Share offered = share;
            if (offered == null || offered.home() != origin || millis.getAsLong() - since >= bounds.lifeMillis()) {
                return null;
            }
            if (asked < bounds.worthwhile() && ++asked == bounds.worthwhile()) {
                secret = TagKey.agreed(own, offered.key(), deployment, name, server);
            }
            return secret.orElse(null);
        }
    }
}
