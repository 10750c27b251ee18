package org.aspas.bftcluster.frame;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.communication.SystemMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Mutated frames and requests: each gets a judgement, and what is accepted is still what its sender may say. */
class FrameFuzzTest {
    private static final long SEED = Long.getLong("aspas.fuzz.seed", 20261121L);
    private static final int ROUNDS = Integer.getInteger("aspas.fuzz.frames", 20_000);

    private final Random random = new Random(SEED);

    @Test
    void everyMutatedFrameIsJudged() {
        FrameCheck check = new FrameCheck(Messages.membership());
        List<byte[]> corpus = new ArrayList<>();
        FrameCheckTest.good().forEach(message -> corpus.add(Messages.frame(message)));
        long refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] frame = mutated(corpus);
            try {
                if (check.judge(1, frame) instanceof FrameVerdict.Refused) {
                    refused++;
                } else {
                    deserialize(frame);
                }
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError escaped) {
                throw new AssertionError("seed " + SEED + ", round " + round, escaped);
            }
        }
        assertThat(refused).as("of " + ROUNDS + " with seed " + SEED).isGreaterThan(ROUNDS / 2);
    }

    @Test
    void everyMutatedRequestIsJudged() {
        byte[] right = bftsmart.tom.core.messages.TOMMessage.messageToBytes(Messages.request(
                RequestCheck.client(1, 3), 4, bftsmart.tom.core.messages.TOMMessageType.ORDERED_REQUEST));
        assertThat(RequestCheck.check(1, right, 1024)).isPresent();
        assertThat(RequestCheck.check(2, right, 1024)).isEmpty();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] request = mutated(List.of(right));
            RequestCheck.check(1, request, 1024)
                    .ifPresent(id -> assertThat(RequestCheck.owner(id.client()))
                            .as("seed " + SEED)
                            .isEqualTo(1));
        }
    }

    /** What is accepted, the library can read, with nothing in it but what was judged. */
    static void deserialize(byte[] frame) {
        try (ObjectInputStream in = new ObjectInputStream(
                new ByteArrayInputStream(frame, Integer.BYTES, frame.length - FrameCheck.OVERHEAD_BYTES))) {
            in.setObjectInputFilter(info -> SerialFilter.judge(info, 1 << 20));
            assertThat(((SystemMessage) in.readObject()).getSender()).isEqualTo(1);
        } catch (IOException | ClassNotFoundException unreadable) {
            throw new AssertionError("accepted, but the library cannot read it", unreadable);
        }
    }

    private byte[] mutated(List<byte[]> corpus) {
        byte[] frame = corpus.get(random.nextInt(corpus.size())).clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes && frame.length > 0; i++) {
            int at = random.nextInt(frame.length);
            switch (random.nextInt(6)) {
                case 0 -> frame[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> frame[at] = (byte) random.nextInt(256);
                case 2 -> frame = java.util.Arrays.copyOf(frame, at);
                case 3 -> number(frame, at);
                case 4 -> splice(frame, at, corpus.get(random.nextInt(corpus.size())));
                default -> frame = lengthened(frame, at);
            }
        }
        if (frame.length >= FrameCheck.OVERHEAD_BYTES && random.nextInt(4) > 0) {
            // Mostly with a right length, so that the inner layers are reached.
            java.nio.ByteBuffer.wrap(frame).putInt(frame.length - FrameCheck.OVERHEAD_BYTES);
            frame[frame.length - 17] = 1;
        }
        return frame;
    }

    private void number(byte[] frame, int at) {
        int[] interesting = {0, -1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x7E0000, 0x70717273};
        if (at + 4 <= frame.length) {
            java.nio.ByteBuffer.wrap(frame).putInt(at, interesting[random.nextInt(interesting.length)]);
        }
    }

    private void splice(byte[] frame, int at, byte[] other) {
        int from = random.nextInt(other.length);
        int length = Math.min(Math.min(frame.length - at, other.length - from), 1 + random.nextInt(64));
        System.arraycopy(other, from, frame, at, length);
    }

    private byte[] lengthened(byte[] frame, int at) {
        byte[] result = new byte[frame.length + 1 + random.nextInt(64)];
        System.arraycopy(frame, 0, result, 0, at);
        System.arraycopy(frame, at, result, result.length - (frame.length - at), frame.length - at);
        return result;
    }
}
