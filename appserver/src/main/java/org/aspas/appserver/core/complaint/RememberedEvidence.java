package org.aspas.appserver.core.complaint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Blacklist.Finding;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;

/**
 * The evidence that is remembered, with what became of it: so much about clients, and so much about each server, so that no
 * flood of one kind makes another forgotten. For one thread.
 */
final class RememberedEvidence {
    private static final int MOST_OF_CLIENTS = 256;
    private static final int MOST_OF_A_SERVER = 64;

    /** A piece of evidence and what became of it. */
    static final class Piece {
        final Evidence evidence;
        Finding finding;
        final TreeMap<Integer, Signed<Blacklist>> words = new TreeMap<>();
        int attempts;
        boolean recorded;

        Piece(Evidence evidence, Finding finding) {
            this.evidence = evidence;
            this.finding = finding;
        }
    }

    private final LinkedHashMap<Hash, Piece> clients = new LinkedHashMap<>();
    private final TreeMap<Integer, LinkedHashMap<Hash, Piece>> servers = new TreeMap<>();
    private final Set<Hash> kept = new HashSet<>();

    @Nullable
    Piece get(Hash evidence) {
        Piece found = clients.get(evidence);
        for (Map<Hash, Piece> one : servers.values()) {
            found = found == null ? one.get(evidence) : found;
        }
        return found;
    }

    /** Remembers a piece; the eldest of its kind that is not kept may be forgotten. */
    void put(Hash hash, Piece one) {
        boolean server = one.evidence.accused() instanceof Accused.Server;
        LinkedHashMap<Hash, Piece> kind = one.evidence.accused() instanceof Accused.Server accused
                ? servers.computeIfAbsent(accused.index(), any -> new LinkedHashMap<>())
                : clients;
        kind.put(hash, one);
        if (kind.size() > (server ? MOST_OF_A_SERVER : MOST_OF_CLIENTS)) {
            kind.keySet().stream()
                    .filter(old -> !kept.contains(old) && !old.equals(hash))
                    .findFirst()
                    .ifPresent(kind::remove);
        }
    }

    void keep(Hash evidence) {
        kept.add(evidence);
    }

    void release(Hash evidence) {
        kept.remove(evidence);
    }

    List<Piece> all() {
        List<Piece> all = new ArrayList<>(clients.values());
        servers.values().forEach(one -> all.addAll(one.values()));
        return all;
    }

    /** The pieces that could not be decided yet: about servers, for about clients signatures decide. */
    List<Piece> undecided() {
        List<Piece> undecided = new ArrayList<>();
        for (Map<Hash, Piece> one : servers.values()) {
            one.values().stream()
                    .filter(open -> open.finding == Finding.UNCONFIRMED)
                    .forEach(undecided::add);
        }
        return undecided;
    }
}
