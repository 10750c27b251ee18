package org.aspas.client.deployment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;

/**
 * Reads single files of a deployment, in which keys are hexadecimal. Thread-safe if the folders are.
 *
 * @param folders the disk to read from
 */
public record DeploymentFiles(Folders folders) {
    private static final HexFormat HEX = HexFormat.of();

    /**
     * Reads the content of a file.
     *
     * @throws UnusableDeploymentException when it is missing or cannot be read
     */
    public byte[] bytes(Path path) throws UnusableDeploymentException {
        try {
            Path folder = path.getParent();
            return folders.read(folder == null ? Path.of("") : folder)
                    .read(path.getFileName().toString());
        } catch (NoSuchFileException missing) {
            throw new UnusableDeploymentException(path + " is missing");
        } catch (IOException broken) {
            throw new UnusableDeploymentException(path + " cannot be read: " + why(broken));
        }
    }

    /** Returns why a file cannot be read or written, without the file's name. */
    static String why(IOException failed) {
        if (failed instanceof AccessDeniedException) {
            return "permission denied";
        }
        String reason = failed instanceof FileSystemException file ? file.getReason() : failed.getMessage();
        return reason == null ? failed.getClass().getSimpleName() : reason;
    }

    /**
     * Reads the bytes that a file holds in hexadecimal.
     *
     * @throws UnusableDeploymentException when it is missing, cannot be read or holds something else
     */
    public byte[] hex(Path path) throws UnusableDeploymentException {
        String text = new String(bytes(path), StandardCharsets.UTF_8).strip();
        try {
            return HEX.parseHex(text);
        } catch (IllegalArgumentException noHex) {
            throw new UnusableDeploymentException(path + " is not hexadecimal");
        }
    }

    /**
     * Reads the private key whose seed a file holds.
     *
     * @throws UnusableDeploymentException when it is missing, cannot be read or holds something else
     */
    public SigningKey signingKey(Path path) throws UnusableDeploymentException {
        byte[] seed = hex(path);
        if (seed.length != Ed25519.SEED_LENGTH) {
            throw new UnusableDeploymentException(
                    path + " holds " + seed.length + " bytes, but a private seed has " + Ed25519.SEED_LENGTH);
        }
        return SigningKey.of(seed);
    }

    /**
     * Reads the public key in a file.
     *
     * @throws UnusableDeploymentException when it is missing, cannot be read or holds something else
     */
    public PublicKey publicKey(Path path) throws UnusableDeploymentException {
        return PublicKey.read(hex(path))
                .orElseThrow(() -> new UnusableDeploymentException(
                        path + " does not hold a public key of " + PublicKey.LENGTH + " bytes"));
    }
}
