package org.aspas.emulab.testbed.deployment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.TlsCertificate;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.file.FileAccess;
import org.aspas.client.deployment.DeploymentFolder;
import org.aspas.client.deployment.Folders;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory.Rest;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory.UnusableDirectory;

/**
 * Writes a deployment's files. The descriptor gets its name last: where it is, all other files are whole and durable, and where it is
 * not, there is no deployment.
 */
final class NewDeployment {
    private static final String FRESH_DESCRIPTOR = "deployment.json.new";
    private static final String OPERATOR_KEY = "operator.key";
    private static final String GITIGNORE = ".gitignore";
    private static final String NOTHING_FOR_GIT = "# Keys and stores of a deployment belong into no repository.\n*\n";
    private static final List<String> TRACES = List.of(
            FRESH_DESCRIPTOR,
            DeploymentFolder.SIGNATURE,
            DeploymentFolder.OPERATOR,
            OPERATOR_KEY,
            DeploymentFolder.AUTHORITIES);

    private final Path root;
    private final Folders folders;

    NewDeployment(DeploymentDirectory directory) {
        this.root = directory.root();
        this.folders = directory.folders();
    }

    /** Throws when the directory holds a deployment, or a part of one. */
    void requireNew() throws UnusableDirectory, IOException {
        if (folders.present(root.resolve(DeploymentFolder.DESCRIPTOR))) {
            throw new UnusableDirectory(root + " holds a deployment already; choose another directory");
        }
        if (begun()) {
            throw new UnusableDirectory(root + " holds the files of a deployment, but no " + DeploymentFolder.DESCRIPTOR
                    + ": its making was interrupted; remove them, or choose another directory");
        }
    }

    /** Whether the directory holds no deployment, and no part of one. */
    boolean none() throws IOException {
        return !folders.present(root.resolve(DeploymentFolder.DESCRIPTOR)) && !begun();
    }

    /** Throws when the directory holds a part of a deployment. */
    void requireFinished() throws UnusableDirectory, IOException {
        if (!folders.present(root.resolve(DeploymentFolder.DESCRIPTOR)) && begun()) {
            throw new UnusableDirectory(root + " holds the files of a deployment, but no " + DeploymentFolder.DESCRIPTOR
                    + ": its making was interrupted, or not all was copied; make it anew, or copy it again");
        }
    }

    private boolean begun() throws IOException {
        return folders.read(root).names().stream().anyMatch(TRACES::contains)
                || !folders.read(root.resolve("keys")).names().isEmpty();
    }

    <E extends Exception> void write(Deployment deployment, Rest<E> rest) throws UnusableDirectory, IOException, E {
        requireNew();
        try (FileLayer top = folders.add(root, FileAccess.READERS)) {
            writeKeys(deployment);
            if (!folders.present(root.resolve(GITIGNORE))) {
                write(top, GITIGNORE, text(NOTHING_FOR_GIT));
            }
            write(top, DeploymentFolder.SIGNATURE, hex(deployment.file().signature()));
            write(
                    top,
                    DeploymentFolder.OPERATOR,
                    line(deployment.operator().publicKey().toString()));
            write(top, OPERATOR_KEY, hex(deployment.operator().seed()));
            if (!deployment.certificates().isEmpty()) {
                write(top, DeploymentFolder.AUTHORITIES, authorities(deployment));
            }
            top.forceDirectory();
            rest.write();
            write(top, FRESH_DESCRIPTOR, deployment.file().text());
            top.rename(FRESH_DESCRIPTOR, DeploymentFolder.DESCRIPTOR);
            top.forceDirectory();
        }
    }

    private void writeKeys(Deployment deployment) throws IOException {
        try (FileLayer keys = folders.add(root.resolve("keys"), FileAccess.OWNER)) {
            for (var key : deployment.keys().entrySet()) {
                write(keys, keyFile(key.getKey()), hex(key.getValue().seed()));
            }
            for (int replica = 0; replica < deployment.orderingKeys().size(); replica++) {
                byte[] secret =
                        deployment.orderingKeys().get(replica).getPrivate().getEncoded();
                write(keys, orderingKeyFile(replica), hex(secret));
            }
            for (var shown : deployment.certificates().entrySet()) {
                write(keys, tlsKeyFile(shown.getKey()), text(shown.getValue().keyText()));
                write(
                        keys,
                        tlsCertificateFile(shown.getKey()),
                        text(shown.getValue().chainText()));
            }
            keys.forceDirectory();
        }
    }

    /** The servers' own certificates, since nobody else signs them. */
    private static byte[] authorities(Deployment deployment) {
        return text(new TreeMap<>(deployment.certificates())
                .values().stream().map(TlsCertificate::chainText).collect(Collectors.joining()));
    }

    /** Writes a new file, and forces its content; its name is durable when its folder is forced. */
    private static void write(FileLayer folder, String name, byte[] content) throws IOException {
        try (FileLayer.OpenFile file = folder.create(name)) {
            file.write(ByteBuffer.wrap(content), 0);
            file.force();
        }
    }

    static String keyFile(NodeId node) {
        return node + ".key";
    }

    static String orderingKeyFile(int replica) {
        return NodeId.bftserver(replica) + ".ordering.key";
    }

    static String tlsKeyFile(NodeId node) {
        return node + ".tls.key";
    }

    static String tlsCertificateFile(NodeId node) {
        return node + ".tls.pem";
    }

    private static byte[] hex(byte[] bytes) {
        return line(HexFormat.of().formatHex(bytes));
    }

    private static byte[] line(String text) {
        return text(text + "\n");
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
