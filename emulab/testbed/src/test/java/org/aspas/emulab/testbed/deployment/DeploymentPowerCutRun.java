package org.aspas.emulab.testbed.deployment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.bftcluster.node.DurableRecord;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.testbed.backup.BackupFile;
import org.aspas.emulab.testbed.backup.MovedClients;
import org.aspas.emulab.testbed.backup.RestoreBootstrap;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory.UnusableDirectory;

/**
 * A deployment is made as {@code aspas init} or {@code aspas restore --clients} does, or a client's key, on folders that keep back what was
 * not forced. In one of the calls to the files, or after the last one, the power is cut or the process killed. Then there is the whole
 * deployment, or none, and in one line why.
 */
final class DeploymentPowerCutRun {
    private static final Path ROOT = Path.of("/lab");
    private static final Path OLD = Path.of("/old");
    private static final List<String> CLIENTS = List.of("ann", "ben");
    private static final Inputs INPUTS = Inputs.make();

    /** What is on the disk is not what was promised. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    /** What is written. Its keys take long to make, and any will do. */
    private record Inputs(Deployment deployment, Certificate before, Path backup, List<SigningKey> clients) {
        static Inputs make() {
            Quorums quorums = new Quorums(1, 1);
            Deployment made = Deployment.generate(
                    "lab",
                    quorums,
                    Collections.nCopies(8, new Deployment.Place("localhost", 7000, 7001)),
                    Set.of(),
                    Limits.DEFAULT);
            CertificateContent content = new CertificateContent(
                    Hash.ZERO,
                    new CertificateNumber(7),
                    Hash.ZERO,
                    VersionVector.zero(quorums.appservers()),
                    Collections.nCopies(quorums.appservers(), Hash.ZERO),
                    Hash.ZERO,
                    List.of());
            Certificate before = new Certificate(content, Codec.encode(content), List.of());
            try {
                Path backup = Files.createTempFile("aspas-power-cuts-", ".aspas");
                backup.toFile().deleteOnExit();
                try (BackupFile.Writer writer = new BackupFile.Writer(
                        backup, made.file(), made.operator().publicKey())) {
                    writer.write(Codec.encode(new SnapshotHead(before, List.of())));
                    writer.end();
                }
                return new Inputs(made, before, backup, List.of(Deployment.newKey(), Deployment.newKey()));
            } catch (IOException failed) {
                throw new IllegalStateException("no backup can be written", failed);
            }
        }
    }

    private enum Kind {
        INIT,
        RESTORE,
        CLIENT
    }

    private final Random random;
    private final MemoryFolders folders;
    private final DeploymentDirectory directory;
    private final Kind kind;
    private Optional<SigningKey> client = Optional.empty();
    private boolean returned;

    DeploymentPowerCutRun(long seed) {
        // The first bit of neighbouring seeds is the same.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.folders = new MemoryFolders(random);
        this.directory = new DeploymentDirectory(ROOT, folders);
        this.kind = Kind.values()[random.nextInt(5) % 3];
    }

    /** Runs it. */
    DeploymentPowerCutRun run() {
        try {
            if (kind == Kind.RESTORE) {
                for (int i = 0; i < CLIENTS.size(); i++) {
                    new DeploymentDirectory(OLD, folders)
                            .addClientKey(CLIENTS.get(i), INPUTS.clients().get(i));
                }
            }
            int calls = kind == Kind.CLIENT ? 4 : kind == Kind.INIT ? 110 : 200;
            folders.endAfter(random.nextInt(3) == 0 ? Long.MAX_VALUE : random.nextInt(calls));
            try {
                work();
                returned = true;
            } catch (MemoryFolders.Ended ended) {
                returned = false;
            }
            folders.endAfter(Long.MAX_VALUE);
            if (random.nextInt(4) > 0) {
                folders.powerFails(new double[] {0, 0.3, 0.7, 0.95, 1}[random.nextInt(5)]);
            }
            if (kind == Kind.CLIENT) {
                checkClient();
            } else {
                checkDeployment();
            }
            return this;
        } catch (UnusableDirectory | IOException refused) {
            throw new Violation(
                    "LOST: " + kind + (returned ? " returned, and then: " : " fails: ") + refused.getMessage());
        } catch (Violation broken) {
            throw broken;
        } catch (Exception bug) {
            throw new IllegalStateException(bug);
        }
    }

    /** Whether the making had returned when the process ended. */
    boolean returned() {
        return returned;
    }

    private void work() throws Exception {
        Deployment made = INPUTS.deployment();
        switch (kind) {
            case INIT -> directory.writeWithStores(made);
            case RESTORE ->
                directory.<Exception>write(made, () -> {
                    new RestoreBootstrap(made, INPUTS.before()).write(directory, INPUTS.backup());
                    MovedClients.move(
                            new DeploymentDirectory(OLD, folders),
                            directory,
                            made.descriptor().id());
                });
            case CLIENT -> client = Optional.of(directory.clientKey("ann"));
        }
    }

    private void checkClient() throws UnusableDirectory, IOException {
        try {
            SigningKey key = directory.clientKey("ann");
            if (client.isPresent() && !same(client.get(), key)) {
                throw new Violation("LOST: the key of a client was used, and it has another one now");
            }
        } catch (UnusableDirectory torn) {
            if (returned) {
                throw torn;
            }
            oneLine(torn, "can be removed");
        }
    }

    private void checkDeployment() throws Exception {
        Descriptor descriptor;
        try {
            descriptor = directory.descriptor();
        } catch (UnusableDirectory unfinished) {
            if (returned) {
                throw unfinished;
            }
            oneLine(unfinished, "interrupted", "no deployment in", "is not a directory", "is missing");
            makeAgain();
            return;
        }
        // Where the descriptor is all is there, also when the process ended in the last call.
        checkWhole(descriptor);
        try {
            work();
            throw new Violation("TWICE: a deployment is written over another one");
        } catch (UnusableDirectory full) {
            oneLine(full, "holds a deployment already");
        }
    }

    private void makeAgain() throws Exception {
        try {
            work();
        } catch (UnusableDirectory begun) {
            oneLine(begun, "interrupted");
            folders.remove(ROOT);
            work();
        }
        checkWhole(directory.descriptor());
    }

    private void checkWhole(Descriptor descriptor) throws UnusableDirectory, IOException {
        Deployment made = INPUTS.deployment();
        same("the descriptor", descriptor.id().toBytes(), made.descriptor().id().toBytes());
        String operator = new String(folders.read(ROOT).read("operator.key"), StandardCharsets.UTF_8);
        same(
                "operator.key",
                HexFormat.of().parseHex(operator.strip()),
                made.operator().seed());
        for (Map.Entry<NodeId, SigningKey> key : made.keys().entrySet()) {
            NodeId node = key.getKey();
            same(
                    node + ".key",
                    directory.key(descriptor, node).seed(),
                    key.getValue().seed());
            checkStore(descriptor, node);
        }
        for (int replica = 0; replica < made.orderingKeys().size(); replica++) {
            KeyPair found = directory.orderingKey(descriptor, replica);
            KeyPair written = made.orderingKeys().get(replica);
            same(
                    "ordering key " + replica,
                    found.getPrivate().getEncoded(),
                    written.getPrivate().getEncoded());
        }
        List<String> names = new ArrayList<>(directory.clientNames());
        if (kind == Kind.RESTORE && !names.equals(CLIENTS)) {
            throw new Violation("LOST: the deployment has the clients " + names);
        }
        for (String name : names) {
            SigningKey moved = INPUTS.clients().get(CLIENTS.indexOf(name));
            same(name + ".key", directory.clientKey(name).seed(), moved.seed());
        }
    }

    /** A node that starts here finds what the deployment was made with. */
    private void checkStore(Descriptor descriptor, NodeId node) throws IOException {
        Map<String, Long> kinds = Map.of();
        Path data = directory.dataPath(node);
        if (node.role() == Role.APPSERVER) {
            StoreOwner owner =
                    new StoreOwner(descriptor.id(), node, descriptor.node(node).key());
            kinds = JournalStore.inspect(folders.read(data.resolve(JournalStore.DIRECTORY)), owner)
                    .kinds();
            if (!kinds.containsKey("founded")) {
                throw new Violation("LOST: the store of " + node + " is not whole: " + kinds);
            }
        } else {
            kinds = DurableRecord.inspect(
                            folders.read(data.resolve(DurableRecord.DIRECTORY)), descriptor.id(), node.index())
                    .kinds();
            if (!kinds.containsKey("complete")) {
                throw new Violation("LOST: the record of " + node + " does not say that it is complete: " + kinds);
            }
        }
        if (kind == Kind.RESTORE
                && kinds.values().stream().mapToLong(count -> count).sum() < 4) {
            throw new Violation("LOST: " + node + " begins without the state of the backup: " + kinds);
        }
    }

    private static boolean same(SigningKey one, SigningKey other) {
        return Arrays.equals(one.seed(), other.seed());
    }

    private static void same(String what, byte[] found, byte[] written) {
        if (!Arrays.equals(found, written)) {
            throw new Violation("LOST: " + what + " is not as it was written");
        }
    }

    private static void oneLine(UnusableDirectory refused, String... words) {
        String line = String.valueOf(refused.getMessage());
        if (line.contains("\n") || Arrays.stream(words).noneMatch(line::contains)) {
            throw new Violation("UNCLEAR: " + line);
        }
    }
}
