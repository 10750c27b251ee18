package org.aspas.appserver.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.certification.LeafBlockRoots;
import org.aspas.appserver.core.certification.Retention;
import org.aspas.appserver.core.log.LateLeaves;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.session.ClientLedgers;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Effect;
import org.aspas.certify.log.BlockRoots;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.log.MerkleLog;
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

    Pruning(CoreState context, Logs logs, LateLeaves leaves, CertifiedHistory history, ClientLedgers ledgers) {
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
    LeafBlockRoots kept(VersionVector version) {
        return new LeafBlockRoots(
                blocks.roots(version),
                retention.ages(),
                settings.limits().retention().leafBlockLevel());
    }

    /** A base was loaded, at this certified version, and its certificate is not adopted yet. */
    void loaded(VersionVector version, LeafBlockRoots kept) {
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

    /**
     * The hashes of certified leaves, in whole blocks. Each block is given to the shell when it is certified, long before its entries are
     * forgotten: a process that starts later has no entries before its base. The roots of blocks go with the base. For one thread.
     */
    private static final class CertifiedBlocks {
        /** What is known of one log. */
        private static final class Given {
            private final MerkleLog tree;
            private long upTo;
            private BlockRoots roots = new BlockRoots(0, List.of(), List.of());
            private long rootsEnd = -1;

            private Given(MerkleLog tree) {
                this.tree = tree;
            }
        }

        private final Logs logs;
        private final List<Given> given = new ArrayList<>();

        CertifiedBlocks(Logs logs) {
            this.logs = logs;
            for (int origin = 0; origin < logs.origins(); origin++) {
                given.add(new Given(logs.of(origin).tree()));
            }
        }

        /** Gives away what has become whole up to a certified version. */
        void certified(VersionVector version, BiConsumer<Integer, LeafBlock> keeper) {
            for (int origin = 0; origin < logs.origins(); origin++) {
                Given of = of(origin);
                long end = logs.of(origin).blockOf(version.get(origin));
                if (end > of.upTo) {
                    int index = origin;
                    of.tree.blocks(of.upTo, end).forEach(block -> keeper.accept(index, block));
                    of.upTo = end;
                }
            }
        }

        /** The roots of all whole blocks that are not forgotten, up to a certified version, by origin. */
        List<BlockRoots> roots(VersionVector version) {
            List<BlockRoots> all = new ArrayList<>();
            for (int origin = 0; origin < logs.origins(); origin++) {
                Given of = of(origin);
                long end = logs.of(origin).blockOf(version.get(origin));
                boolean same = end == of.rootsEnd && logs.of(origin).blockOf(of.tree.start()) == of.roots.first();
                if (!same) {
                    of.roots = of.tree.blockRoots(end);
                    of.rootsEnd = end;
                }
                all.add(of.roots);
            }
            return all;
        }

        /**
         * Makes logs that begin at a certified version remember blocks before it, as far as their roots lead to the certified ones.
         *
         * @param roots what was kept, by origin; not trusted
         * @return up to which leaves all is forgotten
         */
        VersionVector regain(VersionVector version, List<BlockRoots> roots) {
            VersionVector starts = version;
            for (int origin = 0; origin < Math.min(roots.size(), logs.origins()); origin++) {
                Given of = of(origin);
                if (of.tree.size() == version.get(origin) && of.tree.regain(roots.get(origin))) {
                    starts = starts.with(origin, of.tree.start());
                    of.upTo = logs.of(origin).blockOf(version.get(origin));
                }
            }
            return starts;
        }

        /** A log that was replaced has given away nothing. */
        private Given of(int origin) {
            MerkleLog tree = logs.of(origin).tree();
            if (given.get(origin).tree != tree) {
                given.set(origin, new Given(tree));
            }
            return given.get(origin);
        }
    }
}
