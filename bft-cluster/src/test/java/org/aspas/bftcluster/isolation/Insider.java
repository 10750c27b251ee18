package org.aspas.bftcluster.isolation;

import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.aspas.bftcluster.engine.LibraryConfiguration;
import org.aspas.bftcluster.frame.Messages;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.certify.identity.NodeId;

/**
 * A Byzantine bftserver: it holds all keys of replica 3 and says what it likes on its links. Its frames carry right
 * authentication codes, so that what the isolation layer lets through reaches the library's message handling.
 */
final class Insider implements AutoCloseable {
    static final int INDEX = 3;

    private final NodeLinks links;
    private final Map<Integer, Mac> codes = new ConcurrentHashMap<>();
    private volatile BiConsumer<Integer, byte[]> requests = (victim, request) -> {};

    Insider(IsolatedCluster cluster) throws Exception {
        links = cluster.links(INDEX, new LinkListener() {
            @Override
            public void onConnected(NodeId peer) {}

            @Override
            public void onDisconnected(NodeId peer) {}

            @Override
            public void onFrame(NodeId peer, byte[] frame) {
                learnKey(peer.index(), frame);
                Envelope.open(frame)
                        .filter(envelope -> envelope.kind() == Envelope.Kind.REQUEST)
                        .ifPresent(envelope -> requests.accept(peer.index(), envelope.content()));
            }
        });
        cluster.join(INDEX, links);
        for (int victim = 0; victim < INDEX; victim++) {
            handshake(victim);
        }
        await().atMost(Duration.ofSeconds(300)).until(() -> codes.size() == INDEX);
    }

    private void learnKey(int peer, byte[] frame) {
        Envelope.open(frame)
                .filter(envelope -> envelope.kind() == Envelope.Kind.HANDSHAKE)
                .ifPresent(envelope -> codes.computeIfAbsent(peer, unknown -> code(envelope.content())));
    }

    /** The library's key between two replicas. */
    private static Mac code(byte[] handshake) {
        try {
            byte[] value = Arrays.copyOfRange(
                    handshake, 4, 4 + ByteBuffer.wrap(handshake).getInt());
            var secret = new java.math.BigInteger(value)
                    .modPow(
                            new java.math.BigInteger(
                                    IsolatedCluster.key(INDEX).getPrivate().getEncoded()),
                            LibraryConfiguration.GROUP_PRIME);
            Mac mac = Mac.getInstance("HmacMD5");
            mac.init(SecretKeyFactory.getInstance("PBEWithMD5AndDES")
                    .generateSecret(new PBEKeySpec(secret.toString().toCharArray())));
            return mac;
        } catch (java.security.GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Sends the isolation layer of a replica anything. */
    void raw(int victim, byte[] frame) {
        if (!links.send(NodeId.bftserver(victim), frame)) {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> links.send(NodeId.bftserver(victim), frame));
        }
    }

    /** Sends its own handshake. */
    void handshake(int victim) {
        handshake(victim, Handshake.of(IsolatedCluster.key(INDEX)));
    }

    void handshake(int victim, byte[] handshake) {
        raw(victim, Envelope.seal(Envelope.Kind.HANDSHAKE, handshake));
    }

    void request(int victim, byte[] request) {
        raw(victim, Envelope.seal(Envelope.Kind.REQUEST, request));
    }

    /** Sends a frame of the library as it is. */
    void frame(int victim, byte[] frame) {
        raw(victim, Envelope.seal(Envelope.Kind.FRAME, frame));
    }

    /** Told of each request that a replica gives this one; must not wait. */
    void onRequest(BiConsumer<Integer, byte[]> listener) {
        requests = listener;
    }

    /** Sends a message of the library, with its code, to all three. */
    void message(Object message) {
        frames(message).forEach(this::frame);
    }

    /** Sends a message of the library to whom it can without waiting. */
    void tryMessage(Object message) {
        frames(message)
                .forEach((victim, frame) ->
                        links.send(NodeId.bftserver(victim), Envelope.seal(Envelope.Kind.FRAME, frame)));
    }

    private synchronized Map<Integer, byte[]> frames(Object message) {
        Map<Integer, byte[]> frames = new TreeMap<>();
        byte[] stream = Messages.serialized(message);
        for (int victim = 0; victim < INDEX; victim++) {
            byte[] frame = Messages.frame(stream, 1);
            Mac mac = codes.get(victim);
            byte[] code = mac.doFinal(stream);
            System.arraycopy(code, 0, frame, frame.length - code.length, code.length);
            frames.put(victim, frame);
        }
        return frames;
    }

    @Override
    public void close() {
        links.close();
    }
}
