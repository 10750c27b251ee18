package org.aspas.client.api;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Sealer;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.ClientSettings;
import org.aspas.client.core.ClientState;
import org.aspas.client.core.Tagging;
import org.aspas.client.net.DelayedTransport;
import org.aspas.client.net.RoundTripDelay;
import org.aspas.client.net.SocketTransport;
import org.aspas.client.net.Transport;
import org.aspas.client.net.WebSocketTransport;

/**
 * The parts of a client that has not started yet.
 *
 * @param bound the most calls that may be queued
 * @param keyBytes the longest key in bytes
 */
record ClientAssembly(ClientShell shell, ClientId id, int bound, int keyBytes) {
    /** Assembles a client. Parameters and errors are those of {@link AspasClient#connect(Descriptor, SigningKey, int, ClientOptions)}. */
    static ClientAssembly of(Descriptor deployment, SigningKey key, int server, ClientOptions options) {
        ClientResources resources = options.resources == null ? ClientResources.shared() : options.resources;
        Descriptor descriptor = deployment.metered(resources.signatures());
        NodeDescription node = descriptor.node(NodeId.appserver(server));
        CertificateVerifier verifier =
                new CertificateVerifier(descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
        ClientId id = new ClientId(
                key.publicKey(),
                Math.max(0, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())),
                new SecureRandom().nextLong());
        ClientSettings settings = settings(descriptor, id, node, options);
        List<Transport> transports = new ArrayList<>();
        for (int i = 0; i < descriptor.quorums().appservers(); i++) {
            transports.add(transport(descriptor, descriptor.node(NodeId.appserver(i)), options, resources));
        }
        ClientState record =
                options.state == null ? ClientState.FRESH : options.state.load().orElse(ClientState.FRESH);
        ClientCore core = new ClientCore(
                settings,
                new Sealer(key.metered(resources.signatures()), descriptor.id()),
                resources.certificates().check(descriptor.id(), verifier),
                record,
                options.tolerance,
                new SplittableRandom(options.seed == null ? new SecureRandom().nextLong() : options.seed));
        return new ClientAssembly(
                new ClientShell(core, options, resources, transports),
                id,
                sum(options.maxWaiting, options.maxReads, options.maxUnanswered),
                descriptor.limits().keyBytes());
    }

    private static ClientSettings settings(
            Descriptor descriptor, ClientId id, NodeDescription node, ClientOptions options) {
        return new ClientSettings(
                descriptor.verifier(),
                EvidenceJudge.of(descriptor),
                descriptor.quorums(),
                descriptor.keys(Role.APPSERVER),
                node.id().index(),
                id,
                new ClientSettings.Bounds(
                        options.maxUnconfirmed,
                        options.maxUnanswered,
                        options.maxWaiting,
                        options.maxReads,
                        descriptor.limits().keyBytes(),
                        descriptor.limits().operationBytes()
                                + descriptor.limits().keyBytes(),
                        options.readTimeout.toMillis()),
                options.policy,
                options.state != null,
                new Tagging(descriptor.agreements(), SessionSecrets::fresh));
    }

    /** Adds bounds, capped at the largest int because users may set each bound as high as they like. */
    private static int sum(int... bounds) {
        return (int)
                Math.min(Integer.MAX_VALUE, Arrays.stream(bounds).asLongStream().sum());
    }

    private static Transport transport(
            Descriptor descriptor, NodeDescription node, ClientOptions options, ClientResources resources) {
        int queued = sum(options.maxUnanswered, options.maxUnanswered, options.maxReads, options.maxReads, 64);
        int frameBytes = descriptor.limits().linkFrameBytes();
        Transport real = node.sessionPort() == 0
                ? new WebSocketTransport(
                        node.clientTls() ? resources.http(options.trust) : resources.http(),
                        node.webSocket(),
                        options.connectTimeout,
                        frameBytes,
                        queued)
                : new SocketTransport(
                        resources.loops(),
                        InetSocketAddress.createUnresolved(node.host(), node.sessionPort()),
                        options.connectTimeout,
                        frameBytes,
                        queued,
                        node.clientTls() ? options.trust : null);
        Transport wrapped = options.transport.apply(node.id().index(), real);
        if (wrapped == null) {
            throw new IllegalArgumentException("the transport of " + node.id() + " is null");
        }
        return options.roundTrip.isZero()
                ? wrapped
                : new DelayedTransport(
                        wrapped,
                        new RoundTripDelay(options.roundTrip, resources.scheduler()),
                        resources.executor(),
                        queued);
    }

    /** Makes the private keys for the tags of sessions (docs/tags.md). */
    private static final class SessionSecrets {
        private SessionSecrets() {}

        static byte[] fresh() {
            byte[] secret = new byte[AgreementShare.LENGTH];
            new SecureRandom().nextBytes(secret);
            return secret;
        }
    }
}
