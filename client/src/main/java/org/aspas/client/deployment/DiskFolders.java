package org.aspas.client.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.certify.journal.file.FileAccess;
import org.aspas.certify.journal.file.NewFiles;

/** The folders of a real disk. */
final class DiskFolders implements Folders {
    @Override
    public boolean present(Path path) {
        return Files.exists(path);
    }

    @Override
    public FileLayer read(Path folder) {
        return new DirectoryReader(folder);
    }

    @Override
    public FileLayer add(Path folder, FileAccess access) throws IOException {
        return NewFiles.in(folder, access, name -> name.contains(".key"));
    }

    @Override
    public FileLayer journal(Path folder) throws IOException {
        return DirectoryFiles.open(folder);
    }
}
