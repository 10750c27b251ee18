package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectChange;
import org.aspas.appserver.core.state.ObjectPage;
import org.aspas.appserver.core.state.ObjectView;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What a server tells of the objects that somebody watches. */
class WatchedObjectsTest {
    private final Deployment world = new Deployment(11);
    private final List<ObjectChange> told = new ArrayList<>();

    private void watch(int server, Set<String> keys) {
        world.seen = (index, effect) -> {
            if (index == server && effect instanceof Effect.ObjectsChanged changed) {
                told.addAll(changed.changes());
            }
        };
        world.step(server, new Event.Watch(keys));
    }

    private TestClient writer(int server) {
        TestClient client = world.client(20, server);
        client.open();
        world.run(100);
        return client;
    }

    private static Operation increment(long by) {
        return Operation.of("increment", Value.of(by));
    }

    private List<Value> values(ObjectChange.Kind kind) {
        return told.stream()
                .filter(change -> change.kind() == kind)
                .map(change -> kind == ObjectChange.Kind.CERTIFIED
                        ? change.view().certified().value()
                        : change.view().local().value())
                .toList();
    }

    @Test
    void anUpdateIsToldAndThenItsCertificate() {
        TestClient client = writer(1);
        watch(0, Set.of("k"));
        client.update("k", "pn-counter", increment(5));
        client.update("other", "pn-counter", increment(7));
        world.run(3000);
        assertThat(told).isNotEmpty().allMatch(change -> change.view().key().equals("k"));
        assertThat(told.get(0).kind()).isEqualTo(ObjectChange.Kind.LOCAL);
        assertThat(values(ObjectChange.Kind.LOCAL)).containsOnly(Value.of(5));
        assertThat(values(ObjectChange.Kind.CERTIFIED)).containsOnly(Value.of(5));
        ObjectView last = told.get(told.size() - 1).view();
        assertThat(last.certificate().value()).isPositive();
        assertThat(last.version().get(1)).isPositive();
    }

    @Test
    void nothingIsToldToWhoDoesNotWatchAnyMore() {
        TestClient client = writer(1);
        watch(0, Set.of("k"));
        world.step(0, new Event.Watch(Set.of()));
        client.update("k", "pn-counter", increment(5));
        world.run(3000);
        assertThat(told).isEmpty();
    }

    @Test
    void manyUpdatesOfOneObjectAreToldAtTicks() {
        TestClient client = writer(0);
        watch(0, Set.of("k"));
        for (int i = 0; i < 200; i++) {
            client.update("k", "pn-counter", increment(1));
        }
        world.run(5000);
        List<Value> local = values(ObjectChange.Kind.LOCAL);
        assertThat(local).isNotEmpty().hasSizeLessThan(100);
        assertThat(local.get(local.size() - 1)).isEqualTo(Value.of(200));
    }

    /** Server 2 has what appserver 3 shows to it alone, and takes it back when that fork is proved. */
    @Test
    void whatIsRevokedIsTold() {
        world.open = (from, to) -> !from.equals(NodeId.appserver(3)) && !to.equals(NodeId.appserver(3));
        watch(2, Set.of("c"));
        ForgedLog one = new ForgedLog(world);
        one.session();
        one.increment(1, 5);
        ForgedLog other = new ForgedLog(world);
        other.session();
        other.increment(1, 7);
        one.sendTo(0);
        one.sendTo(1);
        other.sendTo(2);
        TestClient client = writer(1);
        for (int i = 0; i < 10; i++) {
            client.update("k", "pn-counter", increment(1));
            world.run(500);
        }
        assertThat(world.cores.get(2).status().blacklist()).hasSize(1);
        assertThat(values(ObjectChange.Kind.LOCAL)).contains(Value.of(7));
        assertThat(told).extracting(ObjectChange::kind).contains(ObjectChange.Kind.REVOKED);
        ObjectView last = told.get(told.size() - 1).view();
        assertThat(last.type() == null ? Value.of(0) : last.local().value()).isNotEqualTo(Value.of(7));
    }

    @Test
    void whatIsTooLongIsLeftOut() {
        TestClient client = writer(0);
        watch(0, Set.of("s"));
        for (int i = 0; i < 6; i++) {
            client.update("s", "aw-set", Operation.of("add", Value.of(i + "x".repeat(1000))));
            world.run(100);
        }
        world.run(1000);
        ObjectView last = told.get(told.size() - 1).view();
        assertThat(last.local().value()).isNull();
        assertThat(last.local().elements()).isEqualTo(6);
        assertThat(told.get(0).view().local().value()).isNotNull();
    }

    @Test
    void allObjectsOfACertificateAreOnItsPages() {
        TestClient client = writer(0);
        Set<String> keys = new java.util.TreeSet<>();
        for (int i = 0; i < 1100; i++) {
            String key = "key/" + i;
            keys.add(key);
            client.update(key, "pn-counter", increment(i + 1));
            if (i % 100 == 99) {
                world.run(200);
            }
        }
        world.run(5000);
        Set<String> found = new java.util.TreeSet<>();
        CertificateNumber number = CertificateNumber.NONE;
        int pages = 0;
        for (Hash from = Hash.ZERO; from != null; pages++) {
            ObjectPage page = world.cores.get(3).objects().page(number, from).orElseThrow();
            number = page.certificate();
            for (ObjectPage.Listed one : page.objects()) {
                assertThat(found.add(one.key())).isTrue();
                assertThat(one.certified().value())
                        .isEqualTo(Value.of(Long.parseLong(one.key().substring(4)) + 1));
            }
            from = page.next();
        }
        assertThat(pages).isGreaterThan(1);
        assertThat(found).isEqualTo(keys);
        CertificateNumber later = new CertificateNumber(number.value() + 1);
        assertThat(world.cores.get(3).objects().page(later, Hash.ZERO)).isEmpty();
    }
}
