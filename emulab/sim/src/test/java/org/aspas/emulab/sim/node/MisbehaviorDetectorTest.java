package org.aspas.emulab.sim.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Pull;
import org.aspas.emulab.sim.node.InstrumentedServer.MisbehaviorDetector;
import org.junit.jupiter.api.Test;

/** What a correct server would not do: the one decision for the simulator and for attacks on real sockets. */
class MisbehaviorDetectorTest {
    private static final NodeId PEER = NodeId.appserver(1);
    private static final Frame FRAME = new Frame.Plain(new Pull(0, 1, 2));
    private static final Outgoing DUE = new Outgoing.ToNode(PEER, FRAME, 0);

    private final List<Outgoing> left = new ArrayList<>();
    private final List<String> misdeeds = new ArrayList<>();
    private final MisbehaviorDetector judge = new MisbehaviorDetector(DUE, left::add, misdeeds::add);
    private final MisbehaviorDetector unasked = new MisbehaviorDetector(null, left::add, misdeeds::add);

    @Test
    void whatIsDueLeavesOnceAndInTimeWithoutAMisdeed() {
        judge.send(DUE);
        judge.over();
        assertThat(misdeeds).isEmpty();
        assertThat(left).containsExactly(DUE);
    }

    @Test
    void toKeepBackIsOneMisdeed() {
        judge.over();
        assertThat(misdeeds).containsExactly("keeps back the PULL for appserver-1");
        assertThat(left).isEmpty();
    }

    @Test
    void anEqualFrameOfTheConductsOwnIsAChangedOne() {
        judge.node(PEER, new Frame.Plain(new Pull(0, 1, 2)), 0);
        judge.over();
        assertThat(misdeeds).containsExactly("sends appserver-1 a changed PULL");
        assertThat(left).hasSize(1);
    }

    @Test
    void toSendLateOrAgainOrMoreIsAMisdeedEach() {
        judge.node(PEER, FRAME, 1);
        judge.send(DUE);
        judge.client(new ConnectionId(7), new Pull(0, 1, 2));
        judge.over();
        assertThat(misdeeds)
                .containsExactly(
                        "delays the PULL for appserver-1",
                        "sends appserver-1 a PULL again",
                        "sends a client a PULL besides");
        assertThat(left).hasSize(3);
    }

    @Test
    void bytesAreNoFrameOfACoreAndStandForWhatIsKeptBack() {
        judge.nodeBytes(PEER, new byte[1]);
        judge.over();
        assertThat(misdeeds).containsExactly("sends appserver-1 bytes that are no frame of its core");
    }

    @Test
    void whateverLeavesUnaskedIsAMisdeed() {
        unasked.send(DUE);
        unasked.over();
        assertThat(misdeeds).containsExactly("sends appserver-1 a PULL besides");
        assertThat(left).containsExactly(DUE);
    }
}
