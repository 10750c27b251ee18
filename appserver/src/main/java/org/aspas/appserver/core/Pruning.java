package org.aspas.appserver.core;

import java.util.Map;
import org.aspas.appserver.core.base.KeptLeaves;
import org.aspas.appserver.core.broadcast.CertifiedBlocks;
import org.aspas.appserver.core.broadcast.LateLeaves;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.certification.Retention;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.session.ClientLedgers;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.crdt.clock.VersionVector;

/**
 * Forgets what was certified long ago, everywhere at once: certificates, the entries that they added, and what is known of these
 * (docs/durability.md, "What is kept, and how long"). For one thread.
 */
final class Pruning extends CorePart {
    private final Logs logs;
    private final LateLeaves leaves;
    private final CertifiedHistory history;
    private final ClientLedgers ledgers;
    private final CertifiedBlocks blocks;
    private final Retention retention;
    private VersionVector adopted;

    Pruning(CoreContext context, Logs logs, LateLeaves leaves, CertifiedHistory history, ClientLedgers ledgers) {
        super(context);
        this.logs = logs;
        this.leaves = leaves;
        this.history = history;
        this.ledgers = ledgers;
        this.blocks = new CertifiedBlocks(logs);
        int servers = settings.quorums().appservers();
        this.retention = new Retention(settings.limits().retention(), servers);
        this.adopted = VersionVector.zero(servers);
    }

    /** Notes an adopted certificate, and returns the encoded bytes of the entries that it added. */
    long adopted(Certificate certificate) {
        VersionVector version = certificate.content().version();
        long added = logs.sizes().bytesBetween(adopted, version);
        retention.adopted(certificate.number(), version, Codec.encode(certificate).length + added);
        adopted = version;
        blocks.certified(version, (origin, block) -> outbox.leaves(new Effect.KeepLeaves(origin, block)));
        return added;
    }

    /** What a base is to keep of leaves at a certified version. */
    KeptLeaves kept(VersionVector version) {
        return new KeptLeaves(
                blocks.roots(version),
                retention.ages(),
                settings.limits().retention().leafBlockLevel());
    }

    /** A base was loaded, at this certified version, and its certificate is not adopted yet. */
    void loaded(VersionVector version, KeptLeaves kept) {
        retention.restored(version, blocks.regain(version, kept.logs()), kept.ages());
        adopted = version;
    }

    /** Forgets what is due, up to the oldest snapshot that is given away. */
    void tick(CertificateNumber covered) {
        if (retention.tick(time.now(), covered)) {
            leaves.forget(retention.edge(), retention.leafEdge());
            history.forgetBefore(retention.oldest());
            ledgers.forget(logs.own().pruned());
            counters.count("prunings");
        }
        leaves.drop();
    }

    void measure(Map<String, Long> gauges) {
        gauges.put("pending_entries", logs.sizes().pendingEntries());
        gauges.put("pending_bytes", logs.sizes().pendingBytes());
        gauges.put("certificates_kept", (long) history.size());
        gauges.put("certified_bytes_kept", retention.bytes());
        gauges.put("log_hash_bytes", logs.sizes().treeBytes());
        gauges.put("log_hash_bytes_stored", retention.leafBytes());
        leaves.measure(gauges);
        gauges.put("uncertified_bytes", logs.sizes().uncertifiedBytes());
        gauges.put("uncertified_full", logs.full() ? 1L : 0L);
    }
}
