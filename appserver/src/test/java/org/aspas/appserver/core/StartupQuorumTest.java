package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with an empty store may have signed before: it asks peers first. */
class StartupQuorumTest {
    private final Deployment world = new Deployment(1);
    private final AppServerCore core =
            AppServerCore.introduced(world.settings.get(0), StoredHistory.of(List.of()), StoreState.GOOD);

    private ServerState told(int peer, List<Signed<Head>> heads) {
        return told(NodeId.appserver(peer), VersionVector.zero(4), heads);
    }

    private ServerState told(NodeId peer, VersionVector holds, List<Signed<Head>> heads) {
        return told(core, peer, holds, heads);
    }

    private static ServerState told(AppServerCore core, NodeId peer, VersionVector holds, List<Signed<Head>> heads) {
        Frontier frontier = new Frontier(holds, heads, CertificateNumber.NONE);
        core.step(new Event.NodeFrame(peer, Deployment.decoded(Codec.encode(frontier))));
        return core.status().state();
    }

    private ServerState at(long millis) {
        core.step(new Event.Tick(millis));
        return core.status().state();
    }

    /** What the server says, over a disk that is durable at once. */
    private List<Message> step(Event event) {
        List<Message> said = new ArrayList<>();
        for (Effect effect : core.step(event)) {
            if (effect instanceof Effect.Persist persist) {
                said.addAll(step(new Event.Persisted(persist.ticket())));
            } else if (effect instanceof Effect.ToClient answer) {
                said.add(answer.message());
            }
        }
        return said;
    }

    /** What the server says to a client that wants a session. */
    private List<Message> opened() {
        ConnectionId connection = new ConnectionId(1);
        step(new Event.ClientOpened(connection));
        Sealer client = world.sealer(3, 1);
        OpenSession open = new OpenSession(new ClientId(client.publicKey()), 1, 1);
        return step(new Event.ClientFrame(connection, Deployment.decoded(Codec.encode(client.seal(open)))));
    }

    @Test
    void itServesWhenEnoughPeersHaveTold() {
        assertThat(core.status().state()).isEqualTo(ServerState.JOINING);
        assertThat(core.status().ready()).isFalse();
        assertThat(told(1, List.of())).isEqualTo(ServerState.JOINING);
        assertThat(told(2, List.of())).isEqualTo(ServerState.JOINING);
        assertThat(told(2, List.of())).as("the same peer again").isEqualTo(ServerState.JOINING);
        assertThat(told(3, List.of())).isEqualTo(ServerState.SERVING);
    }

    @Test
    void untilThenItEntersNothing() {
        assertThat(opened())
                .singleElement()
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.BUSY));
        assertThat(core.version()).isEqualTo(VersionVector.zero(4));
    }

    /** The clock of the ticks may begin anywhere. */
    @ParameterizedTest
    @ValueSource(longs = {-1_000_000, 0, 1_000_000})
    void peersThatDoNotAnswerAreNotWaitedForWithoutEnd(long begin) {
        assertThat(at(begin)).isEqualTo(ServerState.JOINING);
        assertThat(told(1, List.of())).isEqualTo(ServerState.JOINING);
        assertThat(at(begin + 2 * StartupQuorum.PATIENCE_MILLIS)).as("one peer").isEqualTo(ServerState.JOINING);
        assertThat(told(2, List.of())).as("f+1 peers").isEqualTo(ServerState.SERVING);
    }

    @Test
    void whoeverHasToldIsEnoughWhenTheTimeIsOver() {
        assertThat(at(0)).isEqualTo(ServerState.JOINING);
        assertThat(told(1, List.of())).isEqualTo(ServerState.JOINING);
        assertThat(told(2, List.of())).isEqualTo(ServerState.JOINING);
        assertThat(at(StartupQuorum.PATIENCE_MILLIS - 1)).isEqualTo(ServerState.JOINING);
        assertThat(at(StartupQuorum.PATIENCE_MILLIS)).isEqualTo(ServerState.SERVING);
    }

    /** A bftserver, a peer that speaks of other servers than there are, and one that holds own entries whose head is to come. */
    @Test
    void onlyPeersThatShowAllCount() {
        assertThat(told(1, List.of())).isEqualTo(ServerState.JOINING);
        assertThat(told(3, List.of())).isEqualTo(ServerState.JOINING);
        assertThat(told(NodeId.bftserver(2), VersionVector.zero(4), List.of())).isEqualTo(ServerState.JOINING);
        assertThat(told(NodeId.appserver(2), VersionVector.zero(3), List.of())).isEqualTo(ServerState.JOINING);
        assertThat(told(NodeId.appserver(2), VersionVector.zero(4).with(0, 3), List.of()))
                .isEqualTo(ServerState.JOINING);
        assertThat(told(2, List.of())).isEqualTo(ServerState.SERVING);
    }

    @Test
    void itNeverServesWhenAPeerShowsEntriesThatItSignedBefore() {
        Signed<Head> own = world.sealer(1, 0).seal(new Head(0, 3, Hash.ZERO));
        assertThat(told(1, List.of(own))).isEqualTo(ServerState.AMNESIAC);
        assertThat(told(2, List.of())).isEqualTo(ServerState.AMNESIAC);
        assertThat(told(3, List.of())).isEqualTo(ServerState.AMNESIAC);
    }

    /** A server of the same place that was started again over what it stored. */
    private AppServerCore startedAgain() {
        TestClient client = world.client(0, 1);
        client.open();
        world.run(100);
        List<byte[]> records = List.copyOf(world.stores.get(0));
        assertThat(records).isNotEmpty();
        return AppServerCore.introduced(world.settings.get(0), StoredHistory.of(records), StoreState.GOOD);
    }

    @Test
    void aStoreWithRecordsListensToOneCorrectPeer() {
        AppServerCore again = startedAgain();
        VersionVector holds = again.version();
        assertThat(again.status().state()).isEqualTo(ServerState.JOINING);
        assertThat(told(again, NodeId.appserver(1), holds, List.of())).isEqualTo(ServerState.JOINING);
        assertThat(told(again, NodeId.appserver(3), holds, List.of())).isEqualTo(ServerState.SERVING);
    }

    @Test
    void aStoreWithRecordsNeedsNobodyForLong() {
        AppServerCore again = startedAgain();
        again.step(new Event.Tick(500));
        again.step(new Event.Tick(500 + StartupQuorum.COURTESY_MILLIS - 1));
        assertThat(again.status().state()).isEqualTo(ServerState.JOINING);
        again.step(new Event.Tick(500 + StartupQuorum.COURTESY_MILLIS));
        assertThat(again.status().state()).isEqualTo(ServerState.SERVING);
    }

    @Test
    void aStoreThatWasPutBackIsNoticedBeforeAnythingIsSigned() {
        AppServerCore again = startedAgain();
        Signed<Head> later = world.sealer(1, 0).seal(new Head(0, 3, Hash.ZERO));
        assertThat(told(again, NodeId.appserver(1), again.version(), List.of(later)))
                .isEqualTo(ServerState.AMNESIAC);
    }
}
