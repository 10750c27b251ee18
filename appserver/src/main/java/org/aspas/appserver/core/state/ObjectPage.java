package org.aspas.appserver.core.state;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;

/**
 * Some of the objects of a certificate, by the order of their paths in the state tree (docs/formats.md, §5), which looks random.
 *
 * @param certificate the certificate; none before the first
 * @param next the path with which the next page begins; null when this is the last one
 */
public record ObjectPage(
        CertificateNumber certificate,
        List<Listed> objects,
        @Nullable Hash next) {
    public ObjectPage {
        objects = List.copyOf(objects);
    }

    /** An object of the certificate. */
    public record Listed(String key, String type, ObjectView.Shown certified) {}
}
