package org.aspas.client.deployment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.file.FileAccess;
import org.aspas.client.net.ServerTrust;

/**
 * A deployment's folder as its clients use it: {@code deployment.json} with {@code deployment.json.sig} and {@code operator.pub},
 * optionally {@code tls-ca.pem}, and {@code clients/NAME.key} for each client that has a key here.
 *
 * <p>A client's trust is rooted in {@code operator.pub}, so anyone who can replace the folder can redirect the client to other servers.
 * Copy it from a source that you trust. Thread-safe if the folders are.
 *
 * @param root the folder's path
 * @param folders the disk that it is on
 */
public record DeploymentFolder(Path root, Folders folders) {
    public static final String DESCRIPTOR = "deployment.json";

    public static final String SIGNATURE = "deployment.json.sig";

    public static final String OPERATOR = "operator.pub";

    /** The certificates of the authorities that clients trust for TLS connections to servers. */
    public static final String AUTHORITIES = "tls-ca.pem";

    private static final String KEY = ".key";
    private static final Pattern CLIENT_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** Names a folder on this machine's disk. */
    public DeploymentFolder(Path root) {
        this(root, Folders.disk());
    }

    private DeploymentFiles files() {
        return new DeploymentFiles(folders);
    }

    /**
     * Reads the descriptor and verifies it with the operator's public key in the same folder.
     *
     * @throws UnusableDeploymentException when a file is missing or invalid
     */
    public Descriptor descriptor() throws UnusableDeploymentException {
        if (!folders.present(root)) {
            throw new UnusableDeploymentException(
                    root + " is not a directory; a client needs " + DESCRIPTOR + ", " + SIGNATURE + " and " + OPERATOR);
        }
        PublicKey operator = operator();
        try {
            return descriptorFile().open(operator);
        } catch (DescriptorFile.InvalidDescriptor invalid) {
            throw new UnusableDeploymentException(root.resolve(DESCRIPTOR) + ": " + invalid.getMessage());
        }
    }

    /**
     * Reads the descriptor and its signature without verifying them.
     *
     * @throws UnusableDeploymentException when a file is missing or invalid
     */
    public DescriptorFile descriptorFile() throws UnusableDeploymentException {
        return new DescriptorFile(files().bytes(root.resolve(DESCRIPTOR)), files().hex(root.resolve(SIGNATURE)));
    }

    /**
     * Reads the operator's public key.
     *
     * @throws UnusableDeploymentException when the file is missing or invalid
     */
    public PublicKey operator() throws UnusableDeploymentException {
        return files().publicKey(root.resolve(OPERATOR));
    }

    /**
     * Reads a client's key, or durably creates it on first use. When several processes create it at once, one of them succeeds, and all
     * receive its key.
     *
     * @param name 1 to 64 ASCII letters, digits, dots, underscores and hyphens
     * @throws UnusableDeploymentException when the name is invalid, when the file is invalid, or when the key cannot be written
     */
    public SigningKey clientKey(String name) throws IOException {
        if (!CLIENT_NAME.matcher(name).matches()) {
            throw new UnusableDeploymentException("client name '" + name + "' does not match " + CLIENT_NAME);
        }
        Path path = clientPath(name, KEY);
        if (!folders.present(path)) {
            SigningKey key = SigningKey.generate();
            try {
                addClientKey(name, key);
                return key;
            } catch (FileAlreadyExistsException anotherProcess) {
                // It made the key at the same time, and its key is the client's.
            } catch (IOException full) {
                throw new UnusableDeploymentException("client " + name + " has no key yet, and " + clients()
                        + " takes none: " + DeploymentFiles.why(full)
                        + "; a copy of " + DESCRIPTOR + ", " + SIGNATURE + " and " + OPERATOR
                        + " in a folder of your own will do");
            }
        }
        files().bytes(path); // A file that cannot be read is reported as such: its content may be valid.
        try {
            return files().signingKey(path);
        } catch (UnusableDeploymentException damaged) {
            throw new UnusableDeploymentException(
                    damaged.getMessage()
                            + "; put the right file back; if its making was interrupted, nobody used it, and it can be removed");
        }
    }

    /**
     * Durably writes the key of a client that has none. The file appears under its name only when it is complete.
     *
     * @throws java.nio.file.FileAlreadyExistsException when the client has a key already
     * @throws IOException when the key cannot be written
     */
    public void addClientKey(String name, SigningKey key) throws IOException {
        byte[] line = (HexFormat.of().formatHex(key.seed()) + "\n").getBytes(StandardCharsets.UTF_8);
        if (folders.present(clientPath(name, KEY))) {
            throw new FileAlreadyExistsException(clientPath(name, KEY).toString());
        }
        try (FileLayer clients = folders.add(clients(), FileAccess.OWNER)) {
            String fresh = name + KEY + ".new-" + Long.toHexString(clients.freshMark());
            try (FileLayer.OpenFile file = clients.create(fresh)) {
                file.write(ByteBuffer.wrap(line), 0);
                file.force();
            }
            try {
                clients.rename(fresh, name + KEY);
            } catch (FileAlreadyExistsException anotherProcess) {
                clients.delete(fresh);
                throw anotherProcess;
            }
            clients.forceDirectory();
        }
    }

    /** Returns the names of the clients that have a key here, sorted. */
    public List<String> clientNames() throws IOException {
        return folders.read(clients()).names().stream()
                .filter(file -> file.endsWith(KEY))
                .map(file -> file.substring(0, file.length() - KEY.length()))
                .sorted()
                .toList();
    }

    private Path clients() {
        return root.resolve("clients");
    }

    /** Returns the path of one of a client's files; the suffix of its record is {@code .state}. */
    public Path clientPath(String name, String suffix) {
        return clients().resolve(name + suffix);
    }

    /** Returns the file with the authorities for TLS; empty if the folder has none. */
    public Optional<Path> tlsAuthorities() {
        return Optional.of(root.resolve(AUTHORITIES)).filter(folders::present);
    }

    /**
     * Returns the authorities that clients trust for TLS: those in {@code tls-ca.pem}, or without that file those of this JDK.
     *
     * @throws UnusableDeploymentException when the file holds no certificates
     */
    public ServerTrust trust() throws IOException {
        Optional<Path> file = tlsAuthorities();
        try {
            return file.isPresent() ? ServerTrust.of(file.get()) : ServerTrust.usual();
        } catch (IllegalArgumentException unusable) {
            throw new UnusableDeploymentException(String.valueOf(unusable.getMessage()));
        }
    }
}
