package org.aspas.bftcluster.frame;

import bftsmart.communication.SystemMessage;
import bftsmart.consensus.TimestampValuePair;
import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.statemanagement.strategy.StandardSMMessage;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.leaderchange.CollectData;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.server.defaultservices.DefaultApplicationState;
import bftsmart.tom.util.TOMUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignedObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Frames as the library itself makes them, right and wrong. */
public final class Messages {
    /** The number of replicas. */
    public static final int N = 4;

    private static final List<KeyPair> KEYS = keys();

    private Messages() {}

    private static List<KeyPair> keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            List<KeyPair> keys = new ArrayList<>();
            for (int i = 0; i < N; i++) {
                keys.add(generator.generateKeyPair());
            }
            return keys;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The cluster to which these messages belong. */
    static ReplicaGroup membership() {
        return new ReplicaGroup(1, KEYS.stream().map(KeyPair::getPublic).toList(), 1 << 20, 100, 1 << 16);
    }

    /** A frame around any object. */
    public static byte[] frame(Object message) {
        return frame(serialized(message), 1);
    }

    /** A frame around any bytes. */
    public static byte[] frame(byte[] stream, int flag) {
        return ByteBuffer.allocate(stream.length + FrameCheck.OVERHEAD_BYTES)
                .putInt(stream.length)
                .put(stream)
                .put((byte) flag)
                .array();
    }

    /** An object as the library serializes it. */
    public static byte[] serialized(Object... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            for (Object part : parts) {
                if (part instanceof Boolean flag) {
                    out.writeBoolean(flag);
                } else if (part instanceof Long number) {
                    out.writeInt(number.intValue());
                } else {
                    out.writeObject(part instanceof Missing ? null : part);
                }
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return bytes.toByteArray();
    }

    /** Stands for null among parts. */
    public enum Missing {
        /** The null reference. */
        NULL
    }

    /** A request with its bytes. */
    public static TOMMessage request(int client, int sequence, TOMMessageType type) {
        TOMMessage request = new TOMMessage(client, 7, sequence, sequence, new byte[] {1, 2, 3}, 0, type);
        request.serializedMessage = TOMMessage.messageToBytes(request);
        return request;
    }

    /** A batch with these requests and this trailer. */
    public static byte[] batch(byte[] trailer, TOMMessage... requests) {
        int length = 16 + trailer.length;
        for (TOMMessage request : requests) {
            length += 4 + request.serializedMessage.length;
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        out.putLong(1_700_000_000_000L).putInt(0).putInt(requests.length);
        for (TOMMessage request : requests) {
            out.putInt(request.serializedMessage.length).put(request.serializedMessage);
        }
        out.put(trailer);
        byte[] result = new byte[out.position()];
        out.flip().get(result);
        return result;
    }

    /** A batch that the library could have made. */
    public static byte[] batch() {
        return batch(
                new byte[4],
                request(RequestCheck.client(1, 0), 0, TOMMessageType.ORDERED_REQUEST),
                request(RequestCheck.client(2, 5), 9, TOMMessageType.ORDERED_REQUEST));
    }

    /** A proposal. */
    public static SystemMessage propose(int from, int instance, byte[] batch) {
        return new ConsensusMessage(MessageFactory.PROPOSE, instance, 0, from, batch);
    }

    /** A first vote. */
    public static SystemMessage write(int from, int instance, int epoch) {
        return new ConsensusMessage(MessageFactory.WRITE, instance, epoch, from, new byte[16]);
    }

    /** A second vote with any proof. */
    public static ConsensusMessage accept(int from, int instance, byte[] hash, @Nullable Object proof) {
        ConsensusMessage vote = new ConsensusMessage(MessageFactory.ACCEPT, instance, 0, from, hash);
        vote.setProof(proof);
        return vote;
    }

    /** A code for each replica. */
    public static HashMap<Integer, byte[]> codes() {
        HashMap<Integer, byte[]> codes = new HashMap<>();
        for (int i = 0; i < N; i++) {
            codes.put(i, new byte[16]);
        }
        return codes;
    }

    /** Second votes of these replicas. */
    public static Set<ConsensusMessage> proof(int instance, byte[] batch, int... voters) {
        Set<ConsensusMessage> votes = new HashSet<>();
        for (int voter : voters) {
            votes.add(accept(voter, instance, LibraryCrypto.hash(batch), codes()));
        }
        return votes;
    }

    /** A signed collect. */
    public static SignedObject collect(int from, int instance, int regency, int signer) {
        return collect(from, instance, regency, KEYS.get(signer).getPrivate());
    }

    private static SignedObject collect(int from, int instance, int regency, PrivateKey key) {
        HashSet<TimestampValuePair> writes = new HashSet<>();
        writes.add(new TimestampValuePair(0, batch()));
        CollectData data = new CollectData(from, instance, regency, new TimestampValuePair(0, new byte[0]), writes);
        try {
            return new SignedObject(data, key, Signature.getInstance("SHA1withRSA"));
        } catch (IOException | GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A STOP with a batch or without. */
    public static SystemMessage stop(int from, int regency, byte @Nullable [] batch) {
        byte[] payload = batch == null ? serialized(false) : serialized(true, batch);
        return new LCMessage(from, TOMUtil.STOP, regency, payload);
    }

    /** A STOPDATA. */
    public static SystemMessage stopdata(int from, int regency, long last, Set<ConsensusMessage> proof) {
        return stopdata(from, regency, last, proof, KEYS.get(from).getPrivate());
    }

    /** A STOPDATA whose collect is signed with any key. */
    public static SystemMessage stopdata(
            int from, int regency, long last, Set<ConsensusMessage> proof, PrivateKey key) {
        byte[] payload = serialized(true, last, batch(), proof, collect(from, (int) last + 1, regency, key));
        return new LCMessage(from, TOMUtil.STOPDATA, regency, payload);
    }

    /** A SYNC with these collects. */
    public static SystemMessage sync(
            int from, int regency, @Nullable Set<ConsensusMessage> proof, byte[] propose, Set<SignedObject> collects) {
        int last = proof == null ? -1 : 5;
        CertifiedDecision decision = new CertifiedDecision(from, last, proof == null ? null : batch(), proof);
        return new LCMessage(from, TOMUtil.SYNC, regency, serialized(decision, collects, propose, 2L));
    }

    /** Collects of three replicas. */
    public static Set<SignedObject> collects(int regency) {
        Set<SignedObject> all = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            all.add(collect(i, 6, regency, i));
        }
        return all;
    }

    /** A request that is passed on. */
    public static SystemMessage forward(int from, TOMMessage request) {
        return new ForwardedMessage(from, request);
    }

    /** A state message without a state. */
    public static SystemMessage question(int from, int type) {
        return new StandardSMMessage(from, 3, type, 1, null, null, 0, 0);
    }

    /** A state. */
    public static SystemMessage state(int from, int regency) {
        DefaultApplicationState state = new DefaultApplicationState(null, 2, 3, new byte[100], null, 0);
        return new StandardSMMessage(from, 3, TOMUtil.SM_REPLY, from, state, null, regency, 0);
    }
}
