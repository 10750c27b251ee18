package org.aspas.appserver.core.complaint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Evidence;

/** Who is out: the appservers that a certificate excludes, and the clients whom this server refuses for good. For one thread. */
final class ExcludedParties {
    private static final int MOST_CLIENTS = 100_000;

    private record Server(Exclusion exclusion, CertificateNumber since) {}

    private final TreeMap<Integer, Server> servers = new TreeMap<>();
    private final BoundedMap<ClientId, Hash> clients = new BoundedMap<>(MOST_CLIENTS);

    /** A certificate excludes an appserver; whether it is the first that does. */
    boolean exclude(Exclusion exclusion, CertificateNumber certificate) {
        return servers.putIfAbsent(exclusion.origin(), new Server(exclusion, certificate)) == null;
    }

    void refuse(ClientId client, Hash evidence) {
        clients.put(client, evidence);
    }

    /** The refused clients, with the hashes of the evidence against them. */
    Map<ClientId, Hash> refused() {
        return Collections.unmodifiableMap(clients);
    }

    boolean excludes(int server) {
        return servers.containsKey(server);
    }

    /** The hash of the evidence for which a client is refused, if it is. */
    Optional<Hash> refused(ClientId client) {
        return Optional.ofNullable(clients.get(client));
    }

    /** The excluded appservers in order, then the refused clients. */
    List<CoreStatus.Excluded> blacklist(Function<Hash, Optional<Evidence>> find) {
        List<CoreStatus.Excluded> all = new ArrayList<>();
        for (Server one : servers.values()) {
            Exclusion exclusion = one.exclusion();
            all.add(new CoreStatus.Excluded(
                    new Accused.Server(exclusion.origin()),
                    exclusion.cut(),
                    one.since(),
                    exclusion.evidence(),
                    find.apply(exclusion.evidence())));
        }
        clients.forEach((client, evidence) -> all.add(new CoreStatus.Excluded(
                new Accused.Client(client), 0, CertificateNumber.NONE, evidence, find.apply(evidence))));
        return all;
    }
}
