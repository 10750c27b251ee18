package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.object.DeliveredUpdate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A number too far ahead of the lowest that is missing takes no place, and may come again (docs/formats.md, §6). */
class FarAheadNumberTest {
    private static final String COUNTER = "pn-counter";

    private final Sealer sealer = new Deployment(5).sealer(3, 1);
    private final ObjectStore store = new ObjectStore();
    private final List<Entry> open = new ArrayList<>();
    private VersionVector version = VersionVector.zero(1);
    private VersionVector certified = version;

    private void deliver(long number, long amount) {
        Signed<ClientSigned> words = sealer.seal(new Request(
                new ClientId(sealer.publicKey()), number, "c", COUNTER, Operation.of("increment", Value.of(amount))));
        Entry entry = new Entry(new Dot(0, version.get(0) + 1), version, words);
        version = version.with(0, entry.dot().sequence());
        store.deliver(new DeliveredUpdate(
                entry, (Request) entry.body().message(), entry.body().identity()));
        open.add(entry);
    }

    private void certify() {
        store.commit(store.candidate(certified, open));
        certified = version;
        open.clear();
    }

    private void assertValues(long live, long certifiedValue) {
        assertThat(store.liveValue("c", COUNTER)).isEqualTo(Value.of(live));
        assertThat(store.certifiedValue("c", COUNTER)).isEqualTo(Value.of(certifiedValue));
    }

    @Test
    void whatCannotCountIsShownUntilItIsCertifiedAndCountsWhenItComesAgain() {
        deliver(1, 1);
        deliver(1 + StateLeaves.SPAN, 10);
        assertValues(11, 0);
        certify();
        assertValues(1, 1);
        deliver(1 + StateLeaves.SPAN, 10);
        assertValues(11, 1);
        certify();
        assertValues(11, 11);
    }

    @Test
    void theLastNumberThatCounts() {
        deliver(StateLeaves.SPAN, 10);
        certify();
        assertValues(10, 10);
    }
}
