package org.aspas.appserver.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** What a log keeps of its origin when its entries are forgotten. */
class OriginLogTest {
    private static final int ORIGIN = 2;
    private static final int ENTRIES = 6;

    private final Sealer sealer = new Sealer(SigningKey.of(new byte[32]), Hash.ZERO);
    private final OriginLog log = new OriginLog(MerkleLog.BLOCK_LEVEL);

    OriginLogTest() {
        ClientId client = new ClientId(sealer.publicKey());
        for (int sequence = 1; sequence <= ENTRIES; sequence++) {
            Signed<ClientSigned> body = sealer.seal(new OpenSession(client, sequence, 1));
            Entry entry =
                    new Entry(new Dot(ORIGIN, sequence), VersionVector.zero(4).with(ORIGIN, sequence - 1), body);
            log.append(Codec.encode(entry), entry);
            log.deliverNext();
        }
    }

    private Signed<Head> head(long size) {
        return sealer.seal(new Head(ORIGIN, size, log.rootAt(size)));
    }

    private void forgetAll() {
        log.release(ENTRIES);
        log.forget(ENTRIES, ENTRIES);
        assertThat(log.pruned()).isEqualTo(ENTRIES - 1);
    }

    /** The newest entries came under a certified root: what the origin signed last stays, or no other head could contradict it. */
    @Test
    void theNewestHeadStaysThoughEntriesFollowedWithoutAHead() {
        Signed<Head> older = head(2);
        Signed<Head> newest = head(3);
        log.retain(older);
        log.retain(newest);
        forgetAll();
        assertThat(log.newestHead()).contains(newest);
        assertThat(log.headAt(2)).isEmpty();
    }

    @Test
    void headsOverWhatIsForgottenGo() {
        Signed<Head> older = head(3);
        log.retain(older);
        Signed<Head> newest = head(ENTRIES);
        log.retain(newest);
        forgetAll();
        assertThat(log.headAt(3)).isEmpty();
        assertThat(log.newestHead()).contains(newest);
        log.retain(older);
        assertThat(log.headAt(3)).as("a head that comes late").isEmpty();
    }
}
