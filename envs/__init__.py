"""The environments and the kernel that they are written against."""
