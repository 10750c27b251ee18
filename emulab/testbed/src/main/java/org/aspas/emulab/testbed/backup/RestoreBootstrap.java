package org.aspas.emulab.testbed.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.bftcluster.node.DurableRecord;
import org.aspas.bftcluster.node.RecordUnusableException;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.replica.RecordItem;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.client.deployment.Folders;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;

/**
 * A new deployment that begins with what another one certified. Its first certificate has the number after that of the backup,
 * names the backup's certificate as the one before it, and certifies the same logs and the same state without anybody's
 * exclusion; every new bftserver signs it while its key is at hand. Each appserver's store begins with that state, and each
 * bftserver's record with that certificate. All numbers of entries and of clients' updates go on from there.
 */
public final class RestoreBootstrap {
    /** The first attempt at a content; nobody made another one. */
    private static final long ATTEMPT = 1;

    private final Deployment made;
    private final Certificate before;
    private final ProvenContent proven;
    private final List<Share> shares = new ArrayList<>();
    private final Certificate first;

    /**
     * Signs the first certificate of a deployment.
     *
     * @param made the new deployment, with its keys
     * @param before the certificate of the backup, which was verified
     * @throws IllegalArgumentException when the deployments have different numbers of appservers
     */
    public RestoreBootstrap(Deployment made, Certificate before) {
        CertificateContent old = before.content();
        int appservers = made.descriptor().quorums().appservers();
        if (old.version().size() != appservers) {
            throw new IllegalArgumentException(
                    "the backup is of " + old.version().size()
                            + " appservers, and a deployment that begins with it cannot have " + appservers);
        }
        this.made = made;
        this.before = before;
        CertificateContent content = new CertificateContent(
                made.descriptor().id(),
                before.number().next(),
                before.hash(),
                old.version(),
                old.roots(),
                old.state(),
                List.of());
        byte[] payload = Codec.encode(content);
        List<Signed<Accept>> accepts = new ArrayList<>();
        List<Certificate.ReplicaSignature> signatures = new ArrayList<>();
        for (int replica = 0; replica < made.descriptor().quorums().bftservers(); replica++) {
            Sealer sealer = new Sealer(
                    made.key(NodeId.bftserver(replica)), made.descriptor().id());
            accepts.add(sealer.seal(new Accept(replica, content.number(), ATTEMPT, Hash.sha256(payload))));
            Signed<CertificateContent> signed = sealer.seal(content);
            shares.add(new Share(replica, signed));
            signatures.add(new Certificate.ReplicaSignature(replica, signed.signature()));
        }
        int quorum = made.descriptor().quorums().bftserverQuorum();
        this.proven = new ProvenContent(content, payload, accepts.subList(0, quorum));
        this.first = new Certificate(content, payload, signatures.subList(0, quorum));
    }

    public Certificate first() {
        return first;
    }

    /**
     * Writes what all nodes begin with, for {@link DeploymentDirectory#write(Deployment, DeploymentDirectory.Rest)}. An appserver's store has the
     * state of the backup, which is read once more for each.
     *
     * @param to the new deployment's directory
     */
    public void write(DeploymentDirectory to, Path backup)
            throws RecordUnusableException, IOException, BackupFile.Unreadable {
        for (NodeId node : made.keys().keySet()) {
            if (node.role() == Role.APPSERVER) {
                Path journal = to.dataPath(node).resolve(JournalStore.DIRECTORY);
                writeStore(to.folders(), journal, node, backup);
            } else {
                Path journal = to.dataPath(node).resolve(DurableRecord.DIRECTORY);
                writeRecord(to.folders(), journal, node.index());
            }
        }
    }

    /** The record with which a bftserver begins: it has accepted and signed the first certificate, and nothing before it. */
    private void writeRecord(Folders folders, Path journal, int replica) throws RecordUnusableException, IOException {
        try (DurableRecord record = DurableRecord.open(
                folders.journal(journal), made.descriptor().id(), replica, folders.limits(DurableRecord.LIMITS))) {
            record.append(new RecordItem.Taught(before.number()));
            record.append(new RecordItem.AcceptedContent(first.number(), ATTEMPT, proven.payload()));
            record.append(new RecordItem.Locked(proven));
            record.append(new RecordItem.SignedShare(shares.get(replica)));
            record.sync();
        }
    }

    private void writeStore(Folders folders, Path journal, NodeId server, Path backup)
            throws IOException, BackupFile.Unreadable {
        StoreOwner owner =
                new StoreOwner(made.descriptor().id(), server, made.key(server).publicKey());
        JournalLimits limits = folders.limits(JournalStore.LIMITS);
        JournalStore.<BackupFile.Unreadable>make(folders.journal(journal), owner, limits, store -> {
            try (BackupFile file = BackupFile.open(backup)) {
                store.take(Records.foundedFrom(before));
                store.take(
                        Records.snapshotHead(new SnapshotHead(first, file.head().logs())));
                file.<IOException>read(chunk -> store.take(Records.snapshotChunk(
                        new SnapshotChunk(first.number(), chunk.place(), chunk.proof(), chunk.leaves()))));
                store.take(Records.snapshotInstalled(first));
            }
        });
    }
}
