package org.aspas.bftcluster.frame;

import static org.aspas.bftcluster.frame.Messages.batch;
import static org.aspas.bftcluster.frame.Messages.collect;
import static org.aspas.bftcluster.frame.Messages.collects;
import static org.aspas.bftcluster.frame.Messages.frame;
import static org.aspas.bftcluster.frame.Messages.proof;
import static org.aspas.bftcluster.frame.Messages.request;
import static org.aspas.bftcluster.frame.Messages.serialized;
import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.reconfiguration.VMMessage;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.TOMUtil;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameCheckTest {
    private static final int CLIENT = RequestCheck.client(1, 0);

    private final FrameCheck check = new FrameCheck(Messages.membership());

    /** One of every kind that correct replicas send, from replica 1. */
    static List<Object> good() {
        return List.of(
                Messages.propose(1, 5, batch()),
                Messages.write(1, 5, 3),
                Messages.accept(1, 5, new byte[16], Messages.codes()),
                Messages.forward(1, request(CLIENT, 0, TOMMessageType.ORDERED_REQUEST)),
                Messages.stop(1, 1, batch()),
                Messages.stopdata(1, 2, 5, proof(5, batch(), 0, 1, 2)),
                Messages.sync(1, 1, proof(5, batch(), 0, 1, 3), batch(), collects(1)),
                Messages.sync(1, 1, null, batch(), collects(1)),
                Messages.question(1, TOMUtil.SM_REQUEST),
                Messages.question(1, TOMUtil.SM_ASK_INITIAL),
                Messages.question(1, TOMUtil.SM_REPLY_INITIAL),
                Messages.state(1, 0));
    }

    @Test
    void whatCorrectReplicasSendIsAccepted() {
        for (Object message : good()) {
            assertThat(check.judge(1, frame(message))).as("%s", message).isInstanceOf(FrameVerdict.Accepted.class);
            FrameFuzzTest.deserialize(frame(message));
        }
    }

    @Test
    void nobodySpeaksForAnother() {
        for (Object message : good()) {
            refused(2, frame(message), RefusalReason.SENDER);
        }
    }

    @Test
    void aFrameIsWholeAndHasItsCode() {
        byte[] right = frame(Messages.write(1, 5, 0));
        refused(1, frame(serialized(Messages.write(1, 5, 0)), 0), RefusalReason.NO_MAC);
        refused(1, java.util.Arrays.copyOf(right, right.length - 1), RefusalReason.SIZE);
        refused(1, java.util.Arrays.copyOf(right, right.length + 1), RefusalReason.SIZE);
        refused(1, new byte[0], RefusalReason.SIZE);
        for (int length : new int[] {-1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0}) {
            byte[] lying = right.clone();
            ByteBuffer.wrap(lying).putInt(length);
            refused(1, lying, RefusalReason.SIZE);
        }
    }

    @Test
    void onlyTheClassesInUse() {
        refused(1, frame("a string"), RefusalReason.NOT_A_MESSAGE);
        refused(1, frame(new ArrayList<>(List.of(1))), RefusalReason.NOT_A_MESSAGE);
        refused(1, frame(new VMMessage(1, null)), RefusalReason.NOT_A_MESSAGE);
        refused(1, frame(new HashMap<>(java.util.Map.of(1, "x"))), RefusalReason.SHAPE);
        refused(1, frame(request(CLIENT, 0, TOMMessageType.ORDERED_REQUEST)), RefusalReason.NOT_A_MESSAGE);
    }

    @Test
    void aProofIsACodeForEachReplica() {
        refused(1, frame(Messages.accept(1, 5, new byte[16], "a string")), RefusalReason.SHAPE);
        refused(1, frame(Messages.accept(1, 5, new byte[16], new byte[20])), RefusalReason.SHAPE);
        refused(1, frame(Messages.accept(1, 5, new byte[16], null)), RefusalReason.SHAPE);
        HashMap<Integer, byte[]> few = Messages.codes();
        few.remove(3);
        refused(1, frame(Messages.accept(1, 5, new byte[16], few)), RefusalReason.SHAPE);
        few.put(9, new byte[16]);
        refused(1, frame(Messages.accept(1, 5, new byte[16], few)), RefusalReason.SHAPE);
    }

    @Test
    void lengthsEpochsAndTypesOfVotes() {
        refused(1, frame(Messages.write(1, 5, 1 << 30)), RefusalReason.SHAPE);
        refused(1, frame(Messages.write(1, 5, -1)), RefusalReason.SHAPE);
        refused(1, frame(Messages.write(1, -5, 0)), RefusalReason.SHAPE);
        refused(1, frame(new ConsensusMessage(44782, 1, 0, 1, new byte[20])), RefusalReason.SHAPE);
        refused(1, frame(new ConsensusMessage(44782, 1, 0, 1, null)), RefusalReason.SHAPE);
        refused(1, frame(new ConsensusMessage(1, 1, 0, 1, new byte[16])), RefusalReason.SHAPE);
        byte[] lying = serialized(Messages.write(1, 5, 0));
        int value = indexOf(lying, new byte[] {0, 0, (byte) 0xAE, (byte) 0xEE}) + 4;
        for (int length : new int[] {-1, -2, 17, Integer.MAX_VALUE}) {
            ByteBuffer.wrap(lying).putInt(value, length);
            refused(1, frame(lying, 1), RefusalReason.SHAPE);
        }
    }

    @Test
    void batchesAreExact() {
        var fine = request(CLIENT, 0, TOMMessageType.ORDERED_REQUEST);
        propose(RefusalReason.BATCH, new byte[0]);
        propose(RefusalReason.BATCH, batch(new byte[4]));
        propose(RefusalReason.BATCH, batch(new byte[5], fine));
        propose(RefusalReason.BATCH, batch(new byte[3], fine));
        propose(RefusalReason.BATCH, batch(new byte[] {0, 0, 0, 1}, fine));
        for (TOMMessageType type : TOMMessageType.values()) {
            if (type != TOMMessageType.ORDERED_REQUEST) {
                propose(RefusalReason.REQUEST, batch(new byte[4], fine, request(CLIENT, 0, type)));
            }
        }
        propose(RefusalReason.REQUEST, batch(new byte[4], request(3, 0, TOMMessageType.ORDERED_REQUEST)));
        propose(RefusalReason.REQUEST, batch(new byte[4], request(CLIENT, -1, TOMMessageType.ORDERED_REQUEST)));
        byte[] many = batch();
        ByteBuffer.wrap(many).putInt(12, Integer.MAX_VALUE);
        propose(RefusalReason.BATCH, many);
        byte[] nonces = batch();
        ByteBuffer.wrap(nonces).putInt(8, 1 << 30);
        propose(RefusalReason.BATCH, nonces);
    }

    @Test
    void leaderChangesAreOfThisRegencySignedAndProven() {
        byte[] empty = batch(new byte[4]);
        refused(1, frame(Messages.stop(1, 1, null)), RefusalReason.SHAPE);
        refused(1, frame(Messages.stop(1, 0, batch())), RefusalReason.SHAPE);
        refused(1, frame(Messages.stop(1, Integer.MAX_VALUE, batch())), RefusalReason.SHAPE);
        refused(1, frame(Messages.stop(1, 1, empty)), RefusalReason.BATCH);
        refused(1, frame(new LCMessage(1, TOMUtil.TRIGGER_LC_LOCALLY, 1, serialized(false))), RefusalReason.SHAPE);
        refused(1, frame(new LCMessage(1, TOMUtil.STOP, 1, new byte[0])), RefusalReason.NOT_A_MESSAGE);
        refused(1, frame(Messages.stopdata(1, 2, 5, proof(5, batch(), 0, 1))), RefusalReason.SHAPE);
        refused(1, frame(Messages.stopdata(1, 2, 5, proof(4, batch(), 0, 1, 2))), RefusalReason.SHAPE);
        refused(1, frame(Messages.sync(1, 1, null, empty, collects(1))), RefusalReason.BATCH);
        refused(1, frame(Messages.sync(1, 2, null, batch(), collects(1))), RefusalReason.SHAPE);
        HashSet<java.security.SignedObject> two = new HashSet<>();
        two.add(collect(0, 6, 1, 0));
        two.add(collect(1, 6, 1, 1));
        refused(1, frame(Messages.sync(1, 1, null, batch(), two)), RefusalReason.SHAPE);
        two.add(collect(2, 6, 1, 1));
        refused(1, frame(Messages.sync(1, 1, null, batch(), two)), RefusalReason.SIGNATURE);
    }

    @Test
    void forwardedRequestsAreOrdinary() {
        refused(1, frame(Messages.forward(1, request(CLIENT, 0, TOMMessageType.RECONFIG))), RefusalReason.REQUEST);
        refused(
                1,
                frame(Messages.forward(1, request(CLIENT, 0, TOMMessageType.UNORDERED_REQUEST))),
                RefusalReason.REQUEST);
        refused(1, frame(Messages.forward(1, request(2, 0, TOMMessageType.ORDERED_REQUEST))), RefusalReason.REQUEST);
    }

    @Test
    void requestsBelongToAMemberAndAreNoLongerThanACommand() {
        TOMMessage nobodys = request(RequestCheck.client(Messages.N, 0), 0, TOMMessageType.ORDERED_REQUEST);
        TOMMessage stranger = request(Integer.MAX_VALUE, 0, TOMMessageType.ORDERED_REQUEST);
        TOMMessage tooLong = new TOMMessage(
                CLIENT, 7, 0, 0, new byte[Messages.membership().maxRequestBytes()], 0, TOMMessageType.ORDERED_REQUEST);
        tooLong.serializedMessage = TOMMessage.messageToBytes(tooLong);
        for (TOMMessage wrong : List.of(nobodys, stranger, tooLong)) {
            refused(1, frame(Messages.forward(1, wrong)), RefusalReason.REQUEST);
            refused(1, frame(Messages.stop(1, 1, batch(new byte[4], wrong))), RefusalReason.REQUEST);
            propose(RefusalReason.REQUEST, batch(new byte[4], wrong));
        }
    }

    @Test
    void twoCollectsOfOneReplicaAreNeverLetThrough() {
        HashSet<java.security.SignedObject> doubled = new HashSet<>(collects(1));
        doubled.add(collect(2, 6, 1, 2));
        assertThat(doubled).hasSize(4);
        refused(1, frame(Messages.sync(1, 1, null, batch(), doubled)), RefusalReason.SHAPE);
    }

    @Test
    void aRequestThatIsPassedOnIsFoundAndNothingElse() {
        TOMMessage request = request(CLIENT, 0, TOMMessageType.ORDERED_REQUEST);
        assertThat(check.forwarded(frame(Messages.forward(1, request)))).contains(request.serializedMessage);
        for (Object message : good()) {
            assertThat(check.forwarded(frame(message)).isPresent()).isEqualTo(message instanceof ForwardedMessage);
        }
        assertThat(check.forwarded(new byte[3])).isEmpty();
    }

    @Test
    void statesAreBytesAndNothingElse() {
        refused(1, frame(Messages.state(1, -1)), RefusalReason.SHAPE);
        refused(1, frame(Messages.question(1, TOMUtil.TRIGGER_SM_LOCALLY)), RefusalReason.SHAPE);
        refused(1, frame(Messages.question(1, TOMUtil.SM_REPLY)), RefusalReason.SHAPE);
    }

    private void propose(RefusalReason reason, byte[] batch) {
        refused(1, frame(Messages.propose(1, 5, batch)), reason);
    }

    private void refused(int peer, byte[] frame, RefusalReason reason) {
        assertThat(check.judge(peer, frame))
                .isInstanceOfSatisfying(
                        FrameVerdict.Refused.class,
                        refused -> assertThat(refused.reason())
                                .as(refused.detail())
                                .isEqualTo(reason));
    }

    private static int indexOf(byte[] in, byte[] part) {
        for (int i = 0; i + part.length <= in.length; i++) {
            if (java.util.Arrays.equals(in, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new IllegalArgumentException("not there");
    }
}
