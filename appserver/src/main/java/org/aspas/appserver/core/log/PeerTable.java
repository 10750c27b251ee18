package org.aspas.appserver.core.log;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frontier;
import org.aspas.crdt.clock.VersionVector;

/** The other appservers, with what each told of itself. For one thread. */
final class PeerTable {
    private static final long BATCHES_AT_ONCE = 16;
    private static final long BATCHES_PER_SECOND = 32;

    /** What is known of another appserver. */
    static final class Peer {
        final NodeId id;
        /** Bytes of entries that the peer may have for the asking; the last answer may overdraw it. */
        final TokenBucket budget;

        VersionVector version;
        CertificateNumber certificate = CertificateNumber.NONE;
        /** The size of the own log up to which batches are under way or acknowledged; 0 for none. */
        long sent;

        /** When it acknowledged last of what is under way, or when that was begun. */
        long heardAt;

        boolean connected;

        Peer(NodeId id, VersionVector version, int batchBytes) {
            this.id = id;
            this.budget =
                    new TokenBucket(BATCHES_AT_ONCE * batchBytes, BATCHES_PER_SECOND * batchBytes, Long.MIN_VALUE / 2);
            this.version = version;
        }

        /** Whether it acknowledges nothing, for so long, of what is under way of an origin. */
        boolean overdue(int origin, long now, long millis) {
            return version.get(origin) < sent && now - heardAt > millis;
        }
    }

    private final Map<NodeId, Peer> peers = new TreeMap<>();
    private final int oneCorrect;
    private int turn;

    PeerTable(CoreSettings settings) {
        this.oneCorrect = settings.quorums().oneCorrectAppserver();
        VersionVector nothing = VersionVector.zero(settings.quorums().appservers());
        settings.peers()
                .forEach(id ->
                        peers.put(id, new Peer(id, nothing, settings.limits().maxBatchBytes())));
    }

    Optional<Peer> find(NodeId id) {
        return Optional.ofNullable(peers.get(id));
    }

    Collection<Peer> all() {
        return peers.values();
    }

    List<Peer> connected() {
        return peers.values().stream().filter(peer -> peer.connected).toList();
    }

    /** The connected peers that have so many entries of an origin. */
    List<Peer> holders(int origin, long size) {
        List<Peer> holders = new ArrayList<>();
        for (Peer peer : peers.values()) {
            if (peer.connected && peer.version.get(origin) >= size) {
                holders.add(peer);
            }
        }
        return holders;
    }

    /** Whether each connected peer told that it has exactly this. */
    boolean allHave(VersionVector version) {
        return peers.values().stream().allMatch(peer -> !peer.connected || peer.version.equals(version));
    }

    /** A connected peer that told of a certificate with this number or a higher one, another one at each call. */
    Optional<NodeId> holderOfCertificate(CertificateNumber number) {
        List<Peer> holders = connected().stream()
                .filter(peer -> !number.isAfter(peer.certificate))
                .toList();
        return holders.isEmpty()
                ? Optional.empty()
                : Optional.of(holders.get(Math.floorMod(turn++, holders.size())).id);
    }

    void told(Peer peer, Frontier frontier, int own, long now) {
        if (frontier.version().get(own) > peer.version.get(own)) {
            peer.heardAt = now;
        }
        peer.version = frontier.version();
        peer.certificate = CertificateNumber.max(peer.certificate, frontier.certificate());
    }

    /** The newest certificate that at least one correct peer must have. */
    CertificateNumber certificateOfACorrectPeer() {
        return new CertificateNumber(
                ofACorrectPeer(peers.values().stream().mapToLong(peer -> peer.certificate.value())));
    }

    /** How many entries of an origin at least one correct peer must have. */
    long entriesOfACorrectPeer(int origin) {
        return ofACorrectPeer(peers.values().stream().mapToLong(peer -> peer.version.get(origin)));
    }

    /** The (f+1)-th largest: f liars cannot push it beyond what a correct peer told. */
    private long ofACorrectPeer(LongStream told) {
        long[] ascending = told.sorted().toArray();
        return ascending[ascending.length - oneCorrect];
    }
}
