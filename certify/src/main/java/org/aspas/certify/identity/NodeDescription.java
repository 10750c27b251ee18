package org.aspas.certify.identity;

import java.net.URI;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One server of a deployment.
 *
 * @param key its Ed25519 key, for messages and for TLS
 * @param host the name or address at which others reach it, as {@link Host} has it
 * @param linkPort the port of its mutual-TLS links, 0 to 65535; 0 only where addresses are given otherwise
 * @param servicePort an appserver's client port, 0 to 65535; not used at a bftserver, which listens at its link port alone
 * @param sessionPort an appserver's port of binary sessions, 0 to 65535; 0 for none: then sessions are WebSockets at the client port
 * @param clientTls whether clients reach an appserver by TLS, at both ports
 * @param agreement the public half of an appserver's {@link AgreementKey}, for tags of requests; null for none (docs/tags.md)
 * @param orderingKey a bftserver's X.509-encoded RSA key for BFT-SMaRt; empty for an appserver; not to be changed
 */
public record NodeDescription(
        NodeId id,
        PublicKey key,
        String host,
        int linkPort,
        int servicePort,
        int sessionPort,
        boolean clientTls,
        @Nullable AgreementShare agreement,
        byte[] orderingKey) {
    private static final int LAST_PORT = 65535;

    public NodeDescription {
        Host.check(id + ".host", host);
        checkPort(id, "linkPort", linkPort);
        checkPort(id, "servicePort", servicePort);
        checkPort(id, "sessionPort", sessionPort);
    }

    public NodeDescription(
            NodeId id,
            PublicKey key,
            String host,
            int linkPort,
            int servicePort,
            int sessionPort,
            boolean clientTls,
            byte[] orderingKey) {
        this(id, key, host, linkPort, servicePort, sessionPort, clientTls, null, orderingKey);
    }

    /** A server without a port of binary sessions, without TLS for clients and without a key for tags. */
    public NodeDescription(NodeId id, PublicKey key, String host, int linkPort, int servicePort, byte[] orderingKey) {
        this(id, key, host, linkPort, servicePort, 0, false, orderingKey);
    }

    /** Where an appserver's HTTP API is, such as {@code https://host:8100}: without a path. */
    public URI http() {
        return clientAddress(clientTls ? "https" : "http", "");
    }

    /** Where an appserver has sessions on WebSockets, such as {@code wss://host:8100/v1/session}. */
    public URI webSocket() {
        return clientAddress(clientTls ? "wss" : "ws", "/v1/session");
    }

    private URI clientAddress(String scheme, String path) {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return URI.create(scheme + "://" + name + ":" + servicePort + path);
    }

    private static void checkPort(NodeId id, String name, int port) {
        if (port < 0 || port > LAST_PORT) {
            throw new IllegalArgumentException(id + "." + name + " = " + port + " is outside 0.." + LAST_PORT);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeDescription that
                && id.equals(that.id)
                && key.equals(that.key)
                && host.equals(that.host)
                && linkPort == that.linkPort
                && servicePort == that.servicePort
                && sessionPort == that.sessionPort
                && clientTls == that.clientTls
                && Objects.equals(agreement, that.agreement)
                && Arrays.equals(orderingKey, that.orderingKey);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }
}
